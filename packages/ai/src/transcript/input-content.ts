// What of a user message or tool result the target may read: clean text, and images that it takes or a note in their place.
import type { ImageContent, Model, TextContent } from "../types.ts";
import { cleanText } from "./clean-text.ts";
import type { DraftBlock, Omission } from "./draft.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";
import type { Note } from "./report.ts";
import type { ImageLimits } from "./target-rules.ts";

/** The content, with images that cannot be sent marked as omitted. */
export function inputContent(
  content: string | readonly (TextContent | ImageContent)[],
  model: Model,
  limits: ImageLimits,
  note: Note,
): DraftBlock[] {
  const blocks: readonly (TextContent | ImageContent)[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.flatMap((block): DraftBlock[] => {
    if (block.type === "image") return [keptImage(block, model, limits, note)];
    const text = cleanText(block.text);
    if (text.trim() === "") {
      if (typeof content !== "string") note("blank_text", "dropped", "Blank text was dropped.");
      return [];
    }
    if (text === block.text) return [block];
    note("text_repaired", "rewritten", "Characters that no API takes were replaced.");
    return [{ ...block, text }];
  });
}

/** An image as the target takes it, or the reason why it does not. */
function keptImage(image: ImageContent, model: Model, limits: ImageLimits, note: Note): ImageContent | Omission {
  const data = plainBase64(image.data);
  const header = data === undefined ? undefined : readImageHeader(data);
  const isPdf = (header?.mimeType ?? image.mimeType) === "application/pdf";
  const reason =
    refusal(data, header?.mimeType, isPdf, model, limits) ?? sizeRefusal(data ?? "", header, isPdf, limits);
  if (data === undefined || header === undefined || reason !== undefined) {
    return omitted(isPdf, reason ?? "its data cannot be read", note);
  }
  if (header.mimeType === image.mimeType && data === image.data) return image;
  note("image_type_corrected", "rewritten", `An image marked ${image.mimeType} is ${header.mimeType}.`);
  return { ...image, data, mimeType: header.mimeType };
}

/** Marks an image as left out. */
export function omitted(isPdf: boolean, reason: string, note: Note): Omission {
  note("image_replaced", "rewritten", `${isPdf ? "A file" : "An image"} was replaced by a note: ${reason}.`);
  return { type: "omission", noun: isPdf ? "file" : "image", reason };
}

function refusal(
  data: string | undefined,
  mimeType: string | undefined,
  isPdf: boolean,
  model: Model,
  limits: ImageLimits,
) {
  const takes = (kind: "image" | "pdf") => Array.isArray(model.input) && model.input.includes(kind);
  if (isPdf && !takes("pdf")) return "this model takes no PDF files";
  if (!isPdf && !takes("image")) return "this model takes no images";
  if (data === undefined || mimeType === undefined) return "its data cannot be read";
  return isPdf || limits.types.includes(mimeType) ? undefined : `${mimeType} is not a type that this model takes`;
}

/** A file is only bounded by the size of the request. */
function sizeRefusal(data: string, header: ImageHeader | undefined, isPdf: boolean, limits: ImageLimits) {
  if (data.length > (isPdf ? limits.totalSizeMax : limits.sizeMax)) return "it is too large";
  const side = Math.max(header?.width ?? 0, header?.height ?? 0);
  return side > limits.sideMax ? `it is more than ${limits.sideMax} pixels wide or high` : undefined;
}

/** Base64 in the standard alphabet with padding, without a `data:` prefix and white space; undefined if it is none. */
function plainBase64(data: string): string | undefined {
  const body = data
    .replace(/^data:[^,]{0,200},/, "")
    .replace(/\s+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/=+$/, "");
  if (body === "" || body.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(body)) return undefined;
  return body.padEnd(Math.ceil(body.length / 4) * 4, "=");
}
