// A short name for a long text, the same in every process. Not for security: callers check for clashes themselves.

/** 13 characters of `[0-9a-z]` that stand for a text: two 32-bit FNV-1a hashes with different starting points. */
export function stableHash(text: string): string {
  const value = (BigInt(fnv1a(text, 0x811c9dc5)) << 32n) | BigInt(fnv1a(text, 0x2f9be6cc));
  return value.toString(36).padStart(13, "0");
}

function fnv1a(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
