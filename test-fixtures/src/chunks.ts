// Cuts bytes into chunks: whole, of one size, or of sizes drawn from a seed, so that a failing cut can be repeated.

/** How a body is cut: not at all, into chunks of so many bytes, or at random (1 to `maxBytes`, default 64) from a seed. */
export type Chunking = "whole" | number | { seed: number; maxBytes?: number };

/** The chunks of a body; together they are the body. */
export function* cutIntoChunks(bytes: Uint8Array, chunking: Chunking): Generator<Uint8Array> {
  const sizeOfNext = sizes(bytes.length, chunking);
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + sizeOfNext());
    yield bytes.subarray(start, end);
    start = end;
  }
}

function sizes(total: number, chunking: Chunking): () => number {
  if (chunking === "whole") return () => total;
  if (typeof chunking === "number") return () => Math.max(1, Math.floor(chunking));
  const random = seededRandom(chunking.seed);
  return () => 1 + Math.floor(random() * (chunking.maxBytes ?? 64));
}

/** Numbers from 0 up to 1 that are the same for the same seed (the mulberry32 generator by Tommy Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
