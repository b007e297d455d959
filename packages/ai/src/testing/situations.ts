// What goes wrong on real servers, one by one: how to make it happen on any API, and how a call must end then. The names are stable,
// since they are part of addresses and of test names.
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { ErrorKind, SimpleStreamOptions } from "../types.ts";
import { frameData } from "./wire-frames.ts";

/** The wire of one API, as far as it is needed to break it. */
export interface ServedMaterial {
  /** The frames of a good answer with text in it. */
  frames: readonly string[];
  /** Number of the frame that says why the model stopped. */
  stopFrame: number;
  /** A keep-alive event, on APIs that have one. */
  ping?: string;
  /** An error in the middle of a stream. */
  errorFrame: { text: string; kind: ErrorKind };
  /** Bodies of refused requests. `auth` may hold `{key}`, where the server repeats the key. */
  errors: { auth: string; rateLimit: string; overflow: string };
  /** The key of the calls, for APIs that send it in a header of their own. */
  key?: string;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  material: ServedMaterial;
}

/** How a call must end in a situation. */
export interface Ending {
  /** `done` with the whole answer, or an error of one of these kinds. */
  ends: "done" | readonly ErrorKind[];
  retryable?: boolean;
  /** Milliseconds, or the least and the most of them. */
  retryAfterMs?: number | readonly [number, number];
  status?: number;
  /** What is left of the text: `some` of its beginning, or `none`. For errors; default `none`. */
  text?: "some" | "none";
}

export interface Situation extends Ending {
  /** Options that bring the deadlines within reach of a test. */
  options?: SimpleStreamOptions;
  /** Left out on APIs that lack what it takes. */
  needs?: keyof ServedMaterial;
  /** Where to look when the call never ends. */
  ifItHangs?: string;
  serve(exchange: Exchange): void;
}

const STREAM = { "content-type": "text/event-stream; charset=utf-8" };
/** A deadline that a test waits for. */
const SOON_MS = 100;
/** Between two writes that should arrive apart. */
const GAP_MS = 4;
const HUGE = 4 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

const before = ({ frames, stopFrame }: ServedMaterial): string => frames.slice(0, stopFrame).join("");
const whole = ({ frames }: ServedMaterial): string => frames.join("");
const stream = ({ response }: Exchange): ServerResponse => response.writeHead(200, STREAM);

/** A good answer in another dress. */
const dressed = (dress: (material: ServedMaterial) => string | Uint8Array, headers: object = STREAM): Situation => ({
  ends: "done",
  serve: ({ response, material }) => response.writeHead(200, { ...headers }).end(dress(material)),
});

/** A refused request. */
function refused(
  status: number,
  headers: Record<string, string> | (() => Record<string, string>),
  body: (material: ServedMaterial, request: IncomingMessage) => string,
  ending: Ending,
): Situation {
  return {
    status,
    ...ending,
    serve: ({ request, response, material }) =>
      response.writeHead(status, typeof headers === "function" ? headers() : headers).end(body(material, request)),
  };
}

const JSON_BODY = { "content-type": "application/json" };
const HTML =
  "<!doctype html><html><head><title>Sign in</title><script>var x=1;</script></head><body><h1>Proxy</h1></body></html>";
const NO_HINT = JSON.stringify({ error: { message: "Too many requests" } });
const rateLimited = (
  headers: Record<string, string> | (() => Record<string, string>),
  retryAfterMs: Ending["retryAfterMs"],
): Situation =>
  refused(429, headers, () => NO_HINT, {
    ends: ["rate_limit"],
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

/** Writes pieces one after another with a pause between them, until they are used up or the client is gone. */
function writeSlowly(response: ServerResponse, pieces: Iterator<string | Uint8Array>, atEnd: () => void): void {
  const { value, done } = pieces.next();
  if (done || response.destroyed) {
    if (done) atEnd();
    return;
  }
  response.write(value);
  setTimeout(() => writeSlowly(response, pieces, atEnd), GAP_MS);
}

function* forever(piece: string): Generator<string> {
  while (true) yield piece;
}

const forGood = (): void => {};

const WAITING = {
  "silence-before-headers": {
    ends: ["timeout"],
    retryable: true,
    options: { firstByteTimeoutMs: SOON_MS },
    serve: forGood,
  },
  "silence-before-body": {
    ends: ["timeout"],
    retryable: true,
    options: { idleTimeoutMs: SOON_MS },
    serve: (exchange) => stream(exchange).flushHeaders(),
  },
  "silence-mid-stream": {
    ends: ["timeout"],
    retryable: true,
    text: "some",
    options: { idleTimeoutMs: SOON_MS },
    serve: (exchange) => stream(exchange).write(before(exchange.material)),
  },
  "keep-alive-comments": {
    ends: ["timeout"],
    text: "some",
    options: { idleTimeoutMs: SOON_MS },
    serve: (exchange) => {
      stream(exchange).write(before(exchange.material));
      writeSlowly(exchange.response, forever(": keep-alive\n\n"), forGood);
    },
  },
  "keep-alive-pings": {
    ends: ["timeout"],
    text: "some",
    needs: "ping",
    ifItHangs:
      "A decoder's frame() must return false for an event that carries nothing, or it counts as a sign of life.",
    options: { idleTimeoutMs: SOON_MS },
    serve: (exchange) => {
      stream(exchange).write(before(exchange.material));
      writeSlowly(exchange.response, forever(exchange.material.ping ?? ""), forGood);
    },
  },
  "total-limit": {
    ends: ["timeout"],
    text: "some",
    options: { totalTimeoutMs: 2 * SOON_MS, idleTimeoutMs: 0 },
    serve: (exchange) => {
      stream(exchange).write(before(exchange.material));
      writeSlowly(exchange.response, forever(": keep-alive\n\n"), forGood);
    },
  },
  "silent-error-body": {
    ends: ["overloaded"],
    retryable: true,
    status: 503,
    options: { idleTimeoutMs: SOON_MS },
    serve: ({ response }) => response.writeHead(503, JSON_BODY).write('{"error":'),
  },
} satisfies Record<string, Situation>;

const BROKEN = {
  "cut-socket": {
    ends: ["network", "truncated"],
    retryable: true,
    text: "some",
    serve: (exchange) => {
      stream(exchange).write(before(exchange.material));
      setTimeout(() => exchange.response.socket?.destroy(), GAP_MS);
    },
  },
  "reset-socket": {
    ends: ["network"],
    retryable: true,
    text: "some",
    serve: (exchange) => {
      stream(exchange).write(before(exchange.material));
      setTimeout(() => exchange.response.socket?.resetAndDestroy(), 10 * GAP_MS);
    },
  },
  "reset-before-headers": {
    ends: ["network"],
    retryable: true,
    serve: ({ response }) => response.socket?.resetAndDestroy(),
  },
  "no-http": {
    ends: ["network", "malformed_response"],
    serve: ({ response }) => response.socket?.end("220 mail.example.com ESMTP ready\r\n\r\n"),
  },
  "clean-early-end": {
    ends: ["truncated"],
    retryable: true,
    text: "some",
    serve: (exchange) => stream(exchange).end(before(exchange.material)),
  },
  "broken-frame": {
    ends: ["malformed_response"],
    retryable: true,
    text: "some",
    serve: (exchange) =>
      stream(exchange).end(`${before(exchange.material)}data: {"broken": \n\n${exchange.material.frames.at(-1)}`),
  },
  "foreign-text": {
    ends: ["malformed_response"],
    text: "some",
    serve: (exchange) =>
      stream(exchange).end(`${before(exchange.material)}upstream went away\n\n${exchange.material.frames.at(-1)}`),
  },
  "empty-200": { ends: ["truncated"], retryable: true, serve: (exchange) => stream(exchange).end() },
  "comments-only": { ends: ["truncated"], retryable: true, serve: (exchange) => stream(exchange).end(": nothing\n\n") },
  "html-200": {
    ends: ["malformed_response"],
    status: 200,
    serve: ({ response }) => response.writeHead(200, { "content-type": "text/html" }).end(HTML),
  },
  "broken-gzip": {
    ends: ["malformed_response"],
    serve: ({ response, material }) => {
      const damaged = gzipSync(whole(material));
      damaged.fill(0xff, 12, damaged.length);
      response.writeHead(200, { ...STREAM, "content-encoding": "gzip" }).end(damaged);
    },
  },
} satisfies Record<string, Situation>;

const REFUSED = {
  "html-502": refused(502, { "content-type": "text/html" }, () => HTML, { ends: ["overloaded"], retryable: true }),
  "bare-500": refused(500, {}, () => "", { ends: ["overloaded"], retryable: true }),
  "huge-error-body": refused(500, { "content-type": "text/plain" }, () => "x ".repeat(HUGE / 2), {
    ends: ["overloaded"],
    retryable: true,
  }),
  "rate-limit": refused(429, JSON_BODY, ({ errors }) => errors.rateLimit, { ends: ["rate_limit", "billing"] }),
  "rate-limit-seconds": rateLimited({ ...JSON_BODY, "retry-after": "7" }, 7_000),
  "rate-limit-date": rateLimited(
    () => ({ ...JSON_BODY, "retry-after": new Date(Date.now() + 90_000).toUTCString() }),
    [60_000, 90_000],
  ),
  "rate-limit-milliseconds": rateLimited({ ...JSON_BODY, "retry-after-ms": "1250", "retry-after": "2" }, 1_250),
  "rate-limit-duration": rateLimited(
    { ...JSON_BODY, "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30.5s" },
    90_500,
  ),
  "rate-limit-reset-date": rateLimited(
    () => ({
      ...JSON_BODY,
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": new Date(Date.now() + 90_000).toISOString(),
    }),
    [60_000, 90_000],
  ),
  "rate-limit-hint": refused(
    429,
    JSON_BODY,
    () => JSON.stringify({ error: { message: "Rate limit reached. Please try again in 2.5s." } }),
    { ends: ["rate_limit"], retryable: true, retryAfterMs: 2_500 },
  ),
  "key-echo": refused(
    401,
    JSON_BODY,
    ({ errors, key = "" }, { headers }) => {
      const sent = headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers["api-key"] ?? headers.authorization;
      const bare = String(sent ?? key).replace(/^Bearer /, "");
      return errors.auth.includes("{key}")
        ? errors.auth.replaceAll("{key}", bare)
        : `${"x".repeat(280)} wrong key ${bare}`;
    },
    { ends: ["auth"], retryable: false },
  ),
  "context-overflow": refused(400, JSON_BODY, ({ errors }) => errors.overflow, {
    ends: ["context_overflow"],
    retryable: false,
  }),
  redirect: refused(307, { location: "https://elsewhere.example/v1?token=abc" }, () => "", {
    ends: ["invalid_request"],
    retryable: false,
  }),
  "error-frame": {
    ends: [],
    text: "some",
    serve: (exchange) => stream(exchange).end(before(exchange.material) + exchange.material.errorFrame.text),
  },
  "error-first-frame": { ends: [], serve: (exchange) => stream(exchange).end(exchange.material.errorFrame.text) },
  "json-error-200": {
    ends: [],
    serve: ({ response, material }) => {
      const payload: unknown = JSON.parse(frameData(material.errorFrame.text) ?? "null");
      response.writeHead(200, JSON_BODY).end(JSON.stringify(payload, null, 2));
    },
  },
} satisfies Record<string, Situation>;

const DRESSED = {
  good: dressed(whole),
  bom: dressed((material) => `\ufeff${whole(material)}`),
  crlf: dressed((material) => whole(material).replace(/\r?\n/g, "\r\n")),
  cr: dressed((material) => whole(material).replace(/\r?\n/g, "\r")),
  "no-space-after-colon": dressed((material) => whole(material).replace(/^(data|event): /gm, "$1:")),
  "comments-between": dressed(({ frames }) => frames.map((frame) => `: still here\n\n${frame}`).join("")),
  "fields-between": dressed(({ frames }) =>
    frames.map((frame, index) => `id: ${index}\nretry: 3000\n${frame}`).join(""),
  ),
  "line-of-1-mb": dressed((material) => whole(material).replace(/^data: ?\{/m, () => `data: {${" ".repeat(MEGABYTE)}`)),
  "data-in-several-lines": dressed(({ frames }) => frames.map(inSeveralLines).join("")),
  "no-last-blank-line": dressed((material) => whole(material).trimEnd()),
  gzip: dressed((material) => gzipSync(whole(material)), { ...STREAM, "content-encoding": "gzip" }),
  "no-content-type": dressed(whole, {}),
  "open-after-the-end": {
    ends: "done",
    options: { idleTimeoutMs: 1_500 },
    serve: (exchange) => stream(exchange).write(whole(exchange.material)),
  },
  "chunks-of-1-byte": {
    ends: "done",
    serve: (exchange) => {
      const response = stream(exchange);
      const bytes = Buffer.from(whole(exchange.material));
      const step = (at: number): void => {
        if (at >= bytes.length) response.end();
        else if (!response.destroyed) {
          response.write(bytes.subarray(at, at + 1));
          setImmediate(step, at + 1);
        }
      };
      step(0);
    },
  },
  "slow-drip": {
    ends: "done",
    serve: (exchange) =>
      writeSlowly(stream(exchange), exchange.material.frames.values(), () => exchange.response.end()),
  },
} satisfies Record<string, Situation>;

function inSeveralLines(frame: string): string {
  const data = frameData(frame);
  if (data === undefined || !data.startsWith("{")) return frame;
  const lines = JSON.stringify(JSON.parse(data), null, 1).split("\n");
  return frame.replace(/^data:.*$/m, () => lines.map((line) => `data: ${line}`).join("\n"));
}

const ALL = { ...WAITING, ...BROKEN, ...REFUSED, ...DRESSED };

/** The name of a situation. */
export type SituationName = keyof typeof ALL;

/** Every situation by name. */
export const SITUATIONS: Record<SituationName, Situation> = ALL;

/** Whether an API has what a situation takes. */
export function isPossible(situation: Situation, material: ServedMaterial): boolean {
  return situation.needs === undefined || material[situation.needs] !== undefined;
}

/** The ending of a situation on one API; those that play the API's own error event take their kind from it. */
export function endingOf(situation: Situation, material: ServedMaterial): Ending {
  if (situation.ends === "done" || situation.ends.length > 0) return situation;
  return { ...situation, ends: [material.errorFrame.kind] };
}
