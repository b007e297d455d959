// Keeps the images of a whole request within the target's limits, by leaving out the oldest. It leaves out a fifth at once
// rather than one per turn, so that the beginning of the history, and with it the prompt cache, changes seldom.
import type { ImageContent } from "../types.ts";
import type { DraftBlock, Omission } from "./draft.ts";
import { readImageHeader } from "./image-header.ts";
import type { ImageLimits } from "./target-rules.ts";

/** Where an image stands. */
interface Place {
  blocks: DraftBlock[];
  index: number;
  image: ImageContent;
}

/** Replaces, in place, the images that are too many; `omit` makes what stands there instead. */
export function fitImages(
  contents: readonly DraftBlock[][],
  limits: ImageLimits,
  omit: (blocks: DraftBlock[], isPdf: boolean, reason: string) => Omission,
): void {
  const replace = ({ blocks, index, image }: Place, reason: string) => {
    blocks[index] = omit(blocks, image.mimeType === "application/pdf", reason);
  };
  const kept = newestWithin(contents, limits, (place) =>
    replace(place, "the conversation has newer ones, and too many"),
  );
  const { crowd } = limits;
  if (crowd === undefined || kept.length <= crowd.count) return;
  for (const place of kept) {
    const header = readImageHeader(place.image.data);
    if (Math.max(header?.width ?? 0, header?.height ?? 0) > crowd.sideMax) {
      replace(place, `among more than ${crowd.count} images none may be over ${crowd.sideMax} pixels wide or high`);
    }
  }
}

function newestWithin(contents: readonly DraftBlock[][], limits: ImageLimits, drop: (place: Place) => void): Place[] {
  const kept: Place[] = [];
  let size = 0;
  for (const blocks of contents) {
    for (const [index, image] of blocks.entries()) {
      if (image.type !== "image") continue;
      kept.push({ blocks, index, image });
      size += image.data.length;
      if (kept.length <= limits.countMax && size <= limits.totalSizeMax) continue;
      while (kept.length > limits.countMax * 0.8 || size > limits.totalSizeMax * 0.8) {
        const oldest = kept.shift() as Place;
        size -= oldest.image.data.length;
        drop(oldest);
      }
    }
  }
  return kept;
}
