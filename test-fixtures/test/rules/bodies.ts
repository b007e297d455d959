// Makes bad bodies out of good ones.
import { pngOfSize } from "../../src/histories/images.ts";

/** A copy of a body with one change. */
export function changed<T>(body: T, change: (copy: T) => unknown): T {
  const copy = structuredClone(body);
  change(copy);
  return copy;
}

export const png = pngOfSize;
export const pngUrl = (width: number, height: number): string => `data:image/png;base64,${pngOfSize(width, height)}`;
