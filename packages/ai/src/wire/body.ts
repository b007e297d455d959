// Response bodies: read a bounded one as text, and let go of any.

/** Most bytes of an error body that are read. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** How long a finished stream may take to close by itself, which keeps its connection for the next call. */
const POLITE_CLOSE_MS = 50;

/** How long an error body may take. What has come by then says enough; the status and the headers are there already. */
export const ERROR_BODY_WAIT_MS = 5_000;

/** A body that is at hand already is read without a pause, in which no timer runs and no abort is heard. */
const READS_WITHOUT_PAUSE_MAX = 512;

/** Reads a body chunk by chunk, and lets the process get to its timers now and then. */
export function pacedReader(
  body: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStreamDefaultReader<Uint8Array>["read"] {
  let reads = 0;
  return () => {
    reads++;
    if (reads % READS_WITHOUT_PAUSE_MAX !== 0) return body.read();
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => body.read());
  };
}

/** The text of an error response, cut at 64 KB or after `waitMs`; the rest is not read. */
export async function readTextBounded(response: Response, waitMs: number = ERROR_BODY_WAIT_MS): Promise<string> {
  if (!response.body) return "";
  const body = response.body.getReader();
  const read = pacedReader(body);
  const timer = setTimeout(() => void body.cancel().catch(() => {}), waitMs);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let size = 0; size < ERROR_BODY_BYTES_MAX; ) {
      const { done, value } = await read();
      if (done) break;
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return text; // A body that breaks off still says what it said.
  } finally {
    clearTimeout(timer);
    settleBody(body);
  }
}

/** Lets go of a body: whatever the server still sends within a moment is dropped, then the connection is closed. */
export function settleBody(body: Response | ReadableStreamDefaultReader<Uint8Array>): void {
  if ("headers" in body) {
    void body.body?.cancel().catch(() => {});
    return;
  }
  const timer = setTimeout(() => void body.cancel().catch(() => {}), POLITE_CLOSE_MS);
  const read = pacedReader(body);
  const drain = async (): Promise<void> => {
    while (!(await read()).done);
  };
  void drain()
    .catch(() => {})
    .finally(() => clearTimeout(timer));
}
