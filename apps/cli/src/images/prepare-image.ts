// Images as models take them: of a kind that all of them know, upright, and within their limits. One that is all that already goes as it
// is; only for another one the decoder is loaded, in a thread of its own. See docs/decisions/images.md.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ImageContent } from "@rondo/ai";
import { formatBytes } from "../tools/result.ts";
import { imageType } from "./image-type.ts";

/** Anthropic refuses more for an image of a request with many of them ("Vision", Anthropic documentation, 2025); nobody sees more. */
const EDGE_MAX = 2000;
/** Providers take about 5 MB, and base64 adds a third. */
const BYTES_MAX = 3_700_000;
/** A photograph of a telephone has 50 million; each takes four bytes several times over. */
const PIXELS_MAX = 64_000_000;
/** Kinds that every provider takes. */
const SENDABLE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Where the worker is, seen from this module: in the sources, and beside or above the chunk of a bundle. */
const WORKER_PLACES = ["./image-work.js", "./images/image-work.js", "../images/image-work.js"] as const;

/** An image for a model. */
export interface PreparedImage {
  content: ImageContent;
  /** What it is and what was changed, in words for the model. */
  description: string;
}

interface Worked {
  bytes: Uint8Array;
  mimeType: string;
  width: number;
  height: number;
}

/** An image that cannot be prepared. The message is the rest of a sentence about it. */
export class ImageProblem extends Error {
  override readonly name = "ImageProblem";
}

/** Prepares bytes that are an image, whatever their name says; undefined for anything else. Rejects with an `ImageProblem`. */
export async function prepareImage(bytes: Uint8Array): Promise<PreparedImage | undefined> {
  const type = imageType(bytes);
  if (type === undefined) return undefined;
  const { width, height, orientation } = await measure(bytes, type);
  const found = `${type}, ${width}×${height} pixels, ${formatBytes(bytes.length)}`;
  const isWithin = Math.max(width, height) <= EDGE_MAX && bytes.length <= BYTES_MAX;
  if (isWithin && orientation === 1 && SENDABLE.has(type)) return prepared(bytes, type, found);
  if (width * height > PIXELS_MAX)
    throw new ImageProblem(`it has ${width}×${height} pixels, which are too many; make it smaller`);
  const made = await work({
    bytes,
    orientation,
    edgeMax: EDGE_MAX,
    bytesMax: BYTES_MAX,
    isPhotograph: type === "image/jpeg",
  });
  const turned = orientation === 1 ? "" : "turned upright, ";
  const shown = `${turned}${made.width}×${made.height} pixels, ${made.mimeType}`;
  return prepared(made.bytes, made.mimeType, `${found}; shown ${shown}`);
}

function prepared(bytes: Uint8Array, mimeType: string, description: string): PreparedImage {
  return { content: { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType }, description };
}

/** Prepares images that somebody else sends along with a prompt. Rejects, with a sentence for people, if one cannot be. */
export function prepareContents(images: readonly ImageContent[]): Promise<ImageContent[]> {
  return Promise.all(
    images.map(async ({ data }, index) => {
      try {
        const image = await prepareImage(Buffer.from(data, "base64"));
        if (image) return image.content;
        throw new ImageProblem("it is none of the kinds that are known");
      } catch (error) {
        if (!(error instanceof ImageProblem)) throw error;
        throw new Error(`Image ${index + 1} cannot be sent: ${error.message}.`);
      }
    }),
  );
}

async function measure(
  bytes: Uint8Array,
  type: string,
): Promise<{ width: number; height: number; orientation: number }> {
  const { imageSize } = await import("image-size");
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    return { width, height, orientation };
  } catch {
    if (type === "image/heic" || type === "image/avif")
      throw new ImageProblem(`it is of the kind ${type}, which models do not take; save it as JPEG or PNG`);
    throw new ImageProblem("it is damaged: its size cannot be read");
  }
}

/** Runs the worker to its end. */
function work(job: object): Promise<Worked> {
  const file = WORKER_PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) =>
    existsSync(path),
  );
  if (file === undefined) throw new Error("The part of rondo that changes images is missing. Install it again.");
  const worker = new Worker(file, { workerData: job });
  return new Promise((resolve, reject) => {
    worker.once("message", (made: Worked) => {
      resolve(made);
      void worker.terminate();
    });
    worker.once("error", (error) => reject(new ImageProblem(`it cannot be decoded (${error.message})`)));
    worker.once("exit", () => reject(new ImageProblem("it cannot be decoded")));
  });
}
