// Keeps records small: what a tool gave back is made plain JSON and cut to a number of bytes before it is recorded, so
// that the model reads now what it would read after a replay.
import type { AgentToolResult } from "@rondo/agent";

/** Enough for a long file, little enough for any engine's records. */
export const RESULT_MAX_BYTES = 262_144;
/** What is kept of a text whatever else the result holds. */
const TEXT_MIN_BYTES = 1_024;

type Block = AgentToolResult["content"][number];

/** The result within the cap: texts lose their middle, images and details that do not fit are left out and that is said. */
export function capResult(given: AgentToolResult, maxBytes: number): AgentToolResult {
  const result = isRecordable(given.details)
    ? given
    : { ...given, details: { leftOut: "The details are nothing that can be recorded." } };
  if (sizeOf(result) <= maxBytes) return result;
  const { details, content, ...rest } = result;
  const keepDetails = sizeOf(details) <= maxBytes / 4;
  let room = maxBytes - sizeOf(rest) - (keepDetails ? sizeOf(details) : 0);
  const capped: Block[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    const fitting = capBlock(block, Math.max(TEXT_MIN_BYTES, room));
    room -= sizeOf(fitting);
    capped.push(fitting);
  }
  return {
    ...rest,
    content: capped,
    details: keepDetails ? details : { leftOut: "The details were too long to record." },
  };
}

function capBlock(block: Block, maxBytes: number): Block {
  const size = sizeOf(block);
  if (size <= maxBytes) return block;
  if (block.type !== "text") {
    return { type: "text", text: `[An image of ${size} bytes was left out: the limit of a result was reached.]` };
  }
  const bytes = Buffer.from(block.text);
  const keep = Math.max(0, Math.floor((maxBytes * bytes.length) / size / 2) - 50);
  const head = bytes
    .subarray(0, keep)
    .toString()
    .replace(/\uFFFD$/, "");
  const tail = bytes
    .subarray(bytes.length - keep)
    .toString()
    .replace(/^\uFFFD+/, "");
  return { ...block, text: `${head}\n[… ${bytes.length - 2 * keep} bytes left out …]\n${tail}` };
}

/** Whether JSON can hold it: no bigint, no cycle, nothing that throws. */
function isRecordable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
