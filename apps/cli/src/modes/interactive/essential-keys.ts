// What nobody can do without, and whether settings leave a key for it. Like the table of keys it knows nothing of the terminal
// library.
import { type KeySettings, plainKey, RONDO_KEY_BINDINGS } from "./key-table.ts";

/** With the names of which one must have a key. */
const ESSENTIALS: { what: string; names: [string, ...string[]] }[] = [
  { what: "stops the model at once", names: ["rondo.abort"] },
  { what: "sends what you wrote", names: ["tui.input.submit"] },
  { what: "leaves rondo", names: ["rondo.leave", "rondo.clear"] },
];
const DEFAULT_KEYS: Record<string, { defaultKeys: string }> = {
  ...RONDO_KEY_BINDINGS,
  "tui.input.submit": { defaultKeys: "enter" },
};

/** What no key does any more, each with the entry that is to blame, and what to do. */
export function missingKeys(settings: KeySettings): { name: string; problem: string }[] {
  return ESSENTIALS.flatMap(({ what, names }) => {
    const takers = names.map((name) => takerOf(name, settings));
    const [name] = names;
    const taker = takers.findLast((each) => each !== undefined);
    if (taker === undefined || takers.includes(undefined)) return [];
    const remedy = `Give "${name}" one, like "f2", or take this entry away.`;
    return [{ name: taker, problem: `because of "${taker}" no key ${what}. ${remedy}` }];
  });
}

/** The entry because of which something has no key, which may be its own; undefined if it has one. */
function takerOf(name: string, settings: KeySettings): string | undefined {
  const keys = [settings[name] ?? DEFAULT_KEYS[name]?.defaultKeys ?? []].flat();
  const takers = keys.map((key) => Object.keys(settings).find((other) => takes(other, name, key, settings)));
  return takers.includes(undefined) ? undefined : (takers[0] ?? name);
}

/** Whether an entry takes a key: a default key goes to whoever is given it, one of the editor's to the command's own. */
function takes(other: string, name: string, key: string, settings: KeySettings): boolean {
  // Lists have their keys while they are open.
  if (other === name || other.startsWith("tui.select.")) return false;
  const isStronger = !Object.hasOwn(settings, name) || (name.startsWith("tui.") && other.startsWith("rondo."));
  return isStronger && [settings[other] ?? []].flat().some((given) => plainKey(given) === plainKey(key));
}
