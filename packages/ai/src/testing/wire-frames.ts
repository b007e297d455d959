// Cuts a recorded body of server-sent events, or of lines of JSON, into its frames and says what a prefix of it holds. Written apart from the reader under
// test, so that it can be its judge.

/** The frames of a body, each with the blank line that ends it; where it is lines of JSON, each with its line break. */
export function splitFrames(body: string): string[] {
  if (body.startsWith("{")) return body.match(/[^\n]+(?:\n|$)/g) ?? [];
  return body.match(/[\s\S]+?(?:\r\n\r\n|\n\n|\r\r|$)/g) ?? [];
}

/** The `data` of one frame, or undefined if it has none. */
export function frameData(frame: string): string | undefined {
  if (frame.startsWith("{")) return frame.trim();
  const lines = frame.split(/\r\n|\n|\r/).filter((line) => /^data(:|$)/.test(line));
  return lines.length === 0 ? undefined : lines.map((line) => line.replace(/^data:? ?/, "")).join("\n");
}

/** Whether a frame, or what a cut left of one, carries all of its data. */
export function isWholeFrame(frame: string): boolean {
  const data = frameData(frame);
  if (data === undefined) return /^(?::[^\n]*\n?|\s)*$/.test(frame);
  if (data.trim() === "[DONE]") return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/** The parsed data of a frame; undefined for comments, `[DONE]` and what is no JSON. */
export function framePayload(frame: string): unknown {
  try {
    return JSON.parse(frameData(frame) ?? "");
  } catch {
    return undefined;
  }
}
