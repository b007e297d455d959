// A fetch that answers from memory, for sweeps of many thousand calls: a body cut anywhere, ended cleanly or broken off, in chunks of
// any size, or paused where the test wants to act. Each read of the client is served when it is asked for and not before.

export interface ServedBody {
  /** The chunks in which the body arrives. */
  chunks: readonly (string | Uint8Array)[];
  /** What follows the last chunk: a clean end, a broken connection, or nothing until the client leaves. Default `end`. */
  ending?: "end" | "break" | "stall";
  /** Called when the client has read everything and waits. */
  onDrained?: () => void;
}

/** A fetch, and what became of the body that it served. */
export interface ServedFetch {
  fetch: typeof globalThis.fetch;
  /** How many requests were made. */
  readonly requests: number;
  /** What the last request sent, where it was text. */
  readonly sent: string | undefined;
  /** Whether the client let go of the body before its end. */
  readonly cancelled: boolean;
}

/** Serves one body to every request, with status 200. */
export function serveBody(body: ServedBody): ServedFetch {
  let requests = 0;
  let sent: string | undefined;
  let cancelled = false;
  const respond = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    requests++;
    sent = typeof init?.body === "string" ? init.body : undefined;
    init?.signal?.throwIfAborted();
    const stream = bodyStream(body, init?.signal ?? undefined, () => {
      cancelled = true;
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
  return {
    fetch: respond as typeof globalThis.fetch,
    get requests() {
      return requests;
    },
    get sent() {
      return sent;
    },
    get cancelled() {
      return cancelled;
    },
  };
}

function bodyStream(
  body: ServedBody,
  signal: AbortSignal | undefined,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  let drained = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          onCancel();
          controller.error(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
      },
      pull(controller): void | Promise<void> {
        const chunk = body.chunks[next++];
        if (chunk !== undefined) {
          controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
          return;
        }
        if (!drained) {
          drained = true;
          body.onDrained?.();
        }
        if (body.ending === "stall") return new Promise(() => {});
        if (body.ending === "break") controller.error(brokenConnection());
        else controller.close();
      },
      cancel: onCancel,
    },
    // Nothing is read ahead, so that the place where the client stands is known.
    { highWaterMark: 0 },
  );
}

/** What Node's fetch throws when a server breaks the connection. */
function brokenConnection(): TypeError {
  return new TypeError("terminated", {
    cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
  });
}
