// Random choices that a seed repeats.

/** Numbers from 0 up to 1 that are the same for the same seed (xorshift32 by George Marsaglia, 2003). */
export function seededNumbers(seed: number): () => number {
  let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}

/** One of a list. */
export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

const RUBBISH: readonly unknown[] = [null, 0, -1, 1e9, "", "x", true, [], [null], {}, { type: "x" }, [["x"]]];

/** A copy of a JSON value in which one value, anywhere, is replaced by another of a different kind or removed. */
export function mutateJson(value: unknown, random: () => number): unknown {
  const copy = structuredClone(value);
  const places: { container: Record<string, unknown>; key: string }[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) {
      places.push({ container: node as Record<string, unknown>, key });
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  if (places.length === 0) return pick(RUBBISH, random);
  const { container, key } = pick(places, random);
  if (random() < 0.2 && !Array.isArray(container)) delete container[key];
  else container[key] = structuredClone(pick(RUBBISH, random));
  return copy;
}
