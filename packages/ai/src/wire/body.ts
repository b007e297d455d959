// Response bodies: read a bounded one as text, and let go of any.

/** Most bytes of an error body that are read. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** How long a finished stream may take to close by itself, which keeps its connection for the next call. */
const POLITE_CLOSE_MS = 50;

/** The text of an error response, cut at 64 KB; the rest is not read. */
export async function readTextBounded(response: Response): Promise<string> {
  if (!response.body) return "";
  const body = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let size = 0; size < ERROR_BODY_BYTES_MAX; ) {
      const { done, value } = await body.read();
      if (done) break;
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return text; // A body that breaks off still says what it said.
  } finally {
    settleBody(body);
  }
}

/** Lets go of a body: whatever the server still sends within a moment is dropped, then the connection is closed. */
export function settleBody(body: Response | ReadableStreamDefaultReader<Uint8Array>): void {
  if (body instanceof Response) {
    void body.body?.cancel().catch(() => {});
    return;
  }
  const timer = setTimeout(() => void body.cancel().catch(() => {}), POLITE_CLOSE_MS);
  const drain = async (): Promise<void> => {
    while (!(await body.read()).done);
  };
  void drain()
    .catch(() => {})
    .finally(() => clearTimeout(timer));
}
