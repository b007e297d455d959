// The shape of what tools give back, and the limits on it that hold for all of them.
import type { AgentToolResult } from "@rondo/agent";

/** Most lines of one result. With `RESULT_BYTES_MAX` it keeps one call from filling a context window. */
export const RESULT_LINES_MAX = 2000;
/** Most bytes of one result. */
export const RESULT_BYTES_MAX = 50_000;
/** Most characters of one line; the rest of a longer one is left out, with a mark. */
export const LINE_CHARACTERS_MAX = 2000;

/** A result of text. */
export function textResult<T>(text: string, details: T): AgentToolResult<T> {
  return { content: [{ type: "text", text }], details };
}

/** Cuts a line that is too long, and says so at the cut. */
export function cutLine(line: string): string {
  return shownOf(line, line.length);
}

/** As `cutLine`, of a line of which there may be only the beginning: more than is shown of one that is too long. */
export function shownOf(beginning: string, length: number): string {
  if (length <= LINE_CHARACTERS_MAX) return beginning;
  return `${beginning.slice(0, LINE_CHARACTERS_MAX)}… [line of ${length} characters, ${LINE_CHARACTERS_MAX} shown]`;
}

/** Shows control characters of a name or message as escapes, so that it stays on its line and commands no terminal. */
export function escapeControls(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}

/** A number of bytes for people: 512 B, 3.4 KB, 1.2 GB. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
