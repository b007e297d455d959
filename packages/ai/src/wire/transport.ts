// The fetch that an official SDK is given. The SDK builds the request; the response is ours: it is kept here, and the SDK gets an
// empty one, so that its own stream reader, its retries, its error classes and its printing never come into play.
import { detailsOf } from "../error-kinds.ts";
import { ModelError } from "../errors.ts";
import type { BaseUrl } from "./base-url.ts";
import { excerpt } from "./redact.ts";

/** Authentication headers of the supported SDKs, taken off where a server is used without a key. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"];
/** Newer undici limits headers and body to 300 s each; our own deadlines are the only ones that count. */
const UNDICI_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

type FetchInput = Parameters<typeof globalThis.fetch>[0];

export interface TransportOptions {
  fetch: typeof globalThis.fetch | undefined;
  signal: AbortSignal;
  /** Applied in turn over what the SDK set; `null` removes a header. */
  headers: readonly (Record<string, string | null> | undefined)[];
  base: BaseUrl;
  keyless: boolean;
}

/** A fetch for the SDK, and the promise of the real response that it will have caused. */
export interface Transport {
  fetch: typeof globalThis.fetch;
  response: Promise<Response>;
  /** Whether a request went out. Before that, a failure is the fault of the input. */
  readonly used: boolean;
}

export function createTransport(options: TransportOptions): Transport {
  let resolveResponse: (response: Response | Promise<Response>) => void = () => {};
  const response = new Promise<Response>((resolve) => {
    resolveResponse = resolve;
  });
  response.catch(() => {}); // Whoever awaits it gets the error; before that it must not count as unhandled.
  const send = options.fetch ?? fetchWithoutLimits;
  let used = false;
  const sdkFetch = async (input: FetchInput, init?: RequestInit): Promise<Response> => {
    if (used) throw new Error("The SDK tried to send the request a second time.");
    const url = new URL(typeof input === "object" && "url" in input ? input.url : String(input));
    for (const [name, value] of options.base.query) url.searchParams.set(name, value);
    const headers = mergeHeaders(init?.headers, options);
    used = true;
    const real = (async () => send(url.href, { ...init, headers, redirect: "manual", signal: options.signal }))();
    resolveResponse(real);
    // A fetch that does not hear the abort must not hold the SDK, whose own timer would keep the process alive.
    await Promise.race([real.catch(() => {}), aborted(options.signal)]);
    return new Response("", { status: 200, headers: { "content-type": "text/event-stream" } });
  };
  return {
    fetch: sdkFetch as typeof globalThis.fetch,
    response,
    get used() {
      return used;
    },
  };
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function mergeHeaders(initial: RequestInit["headers"] | undefined, options: TransportOptions): Headers {
  const headers = new Headers(initial);
  if (options.keyless) for (const name of KEY_HEADERS) headers.delete(name);
  for (const layer of options.headers) {
    for (const [name, value] of Object.entries(layer ?? {})) {
      if (value === undefined) continue;
      try {
        if (value === null) headers.delete(name);
        else headers.set(name, value);
      } catch {
        // The cause is left out: it shows the value.
        throw new ModelError(
          `The header "${excerpt(name, 80)}" has a name or a value that HTTP does not allow.`,
          detailsOf("invalid_request", { code: "bad_header" }),
        );
      }
    }
  }
  return headers;
}

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** `globalThis.fetch` without undici's own time limits, where undici is what runs it. */
function fetchWithoutLimits(url: FetchInput, init?: RequestInit): Promise<Response> {
  const globalDispatcher = (globalThis as Record<symbol, unknown>)[UNDICI_DISPATCHER] as Dispatcher | undefined;
  if (!globalDispatcher) return globalThis.fetch(url, init);
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) =>
      globalDispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return globalThis.fetch(url, { ...init, dispatcher } as unknown as RequestInit);
}
