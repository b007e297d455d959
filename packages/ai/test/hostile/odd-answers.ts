// Answers of servers, gateways and proxies with odd habits: each is one body or one exchange, made out of a good answer of an API, and
// what must come of it.

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { ErrorKind } from "@rondo/ai";
import type { RawAnswer } from "./raw-server.ts";

/** A good answer, and its parts. */
export interface Material {
  frames: readonly string[];
  /** Number of the frame that says why the model stopped. */
  stopFrame: number;
  /** The frames before it. */
  before: string;
  whole: string;
}

export interface OddAnswer {
  name: string;
  make: (material: Material) => RawAnswer;
  /** `done` with all of the text, or one of these kinds. */
  ends: "done" | readonly ErrorKind[];
  /** Whether an error keeps the text that came before it. Default: nothing is asked. */
  keeps?: "some" | "none";
  retryable?: boolean;
  options?: { idleTimeoutMs?: number; firstByteTimeoutMs?: number };
}

type Headers = Record<string, string | number>;

const head = (status: string, headers: Headers = {}): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries({ connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
const STREAM = { "content-type": "text/event-stream" };
const body = (bytes: string | Uint8Array, headers: Headers = {}): RawAnswer => ({
  bytes: [head("200 OK", { ...STREAM, ...headers }), bytes],
});
const bodyOf =
  (make: (material: Material) => string | Uint8Array, headers: Headers = {}) =>
  (material: Material): RawAnswer =>
    body(make(material), headers);
const refused =
  (status: string, text = "", headers: Headers = {}) =>
  (): RawAnswer => ({ bytes: [head(status, headers), text] });
const chunked = (pieces: readonly string[], end = "0\r\n\r\n"): string =>
  pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join("") + end;

const SOON_MS = 100;
const CUT: readonly ErrorKind[] = ["truncated", "network"];
const DAMAGED: readonly ErrorKind[] = ["malformed_response"];

/** What happens below and around the body. */
export const ODD_EXCHANGES: OddAnswer[] = [
  { name: "204", make: refused("204 No Content"), ends: ["truncated"], retryable: true },
  { name: "205", make: refused("205 Reset Content", "", { "content-length": 0 }), ends: ["truncated"] },
  { name: "304, which sends nobody elsewhere", make: refused("304 Not Modified"), ends: ["unknown"] },
  {
    name: "a redirect to no URL",
    make: refused("302 Found", "", { location: "http://[bad" }),
    ends: ["invalid_request"],
  },
  { name: "a redirect to nowhere", make: refused("303 See Other"), ends: ["invalid_request"] },
  { name: "an unknown status beyond all", make: refused("999 Odd", "{}"), ends: ["overloaded"] },
  {
    name: "a status of two digits",
    make: () => ({ bytes: ["HTTP/1.1 99 X\r\n\r\n"] }),
    ends: ["network", "malformed_response"],
  },
  {
    name: "hints before the answer",
    make: ({ whole }) => ({ bytes: ["HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n", ...body(whole).bytes] }),
    ends: "done",
  },
  {
    name: "headers and then a reset",
    make: () => ({ bytes: [head("200 OK", STREAM)], after: "reset" }),
    ends: CUT,
    retryable: true,
  },
  {
    name: "half of the headers",
    make: () => ({ bytes: ["HTTP/1.1 200 OK\r\ncontent-ty"] }),
    ends: ["network"],
    retryable: true,
  },
  {
    name: "headers without end",
    make: () => ({ bytes: ["HTTP/1.1 200 OK\r\n"], after: { again: "x-a: b\r\n" } }),
    ends: ["timeout"],
    options: { firstByteTimeoutMs: SOON_MS },
  },
  {
    name: "a header larger than any",
    make: bodyOf(({ whole }) => whole, { "x-big": "x".repeat(70_000) }),
    ends: ["network"],
  },
  {
    name: "HTTP/1.0, ended by closing",
    make: ({ whole }) => ({ bytes: ["HTTP/1.0 200 OK\r\n\r\n", whole] }),
    ends: "done",
  },
  {
    name: "HTTP/1.0, closed too early",
    make: ({ before }) => ({ bytes: ["HTTP/1.0 200 OK\r\n\r\n", before] }),
    ends: CUT,
    keeps: "some",
    retryable: true,
  },
  {
    name: "chunks with trailers",
    make: bodyOf(({ frames }) => chunked(frames, "0\r\nx-trace: 1\r\n\r\n"), { "transfer-encoding": "chunked" }),
    ends: "done",
  },
  {
    name: "chunks with a size that is none",
    make: bodyOf(({ frames, stopFrame }) => chunked(frames.slice(0, stopFrame), "zz\r\n"), {
      "transfer-encoding": "chunked",
    }),
    ends: DAMAGED,
    keeps: "some",
    retryable: true,
  },
  {
    name: "a length that is too short",
    make: bodyOf(({ before }) => before, { "content-length": 60 }),
    ends: CUT,
    retryable: true,
  },
  {
    name: "a length that is too long",
    make: bodyOf(({ before }) => before, { "content-length": 99_999 }),
    ends: CUT,
    keeps: "some",
    retryable: true,
  },
  { name: "a length that is none", make: bodyOf(({ whole }) => whole, { "content-length": "abc" }), ends: DAMAGED },
  {
    name: "Brotli",
    make: bodyOf(({ whole }) => brotliCompressSync(whole), { "content-encoding": "br" }),
    ends: "done",
  },
  {
    name: "Brotli, cut",
    make: bodyOf(({ whole }) => brotliCompressSync(whole).subarray(0, -40), { "content-encoding": "br" }),
    ends: [...CUT, ...DAMAGED],
    retryable: true,
  },
  {
    name: "gzip, cut",
    make: bodyOf(({ whole }) => gzipSync(whole).subarray(0, -40), { "content-encoding": "gzip" }),
    ends: [...CUT, ...DAMAGED],
    retryable: true,
  },
  { name: "deflate", make: bodyOf(({ whole }) => deflateSync(whole), { "content-encoding": "deflate" }), ends: "done" },
  {
    name: "an encoding that nobody knows, on a plain body",
    make: bodyOf(({ whole }) => whole, { "content-encoding": "foo" }),
    ends: "done",
  },
  {
    name: "a content type that lies: JSON",
    make: bodyOf(({ whole }) => whole, { "content-type": "application/json" }),
    ends: "done",
  },
  {
    name: "a content type that lies: HTML",
    make: bodyOf(({ whole }) => whole, { "content-type": "text/html" }),
    ends: "done",
  },
  {
    name: "empty lines for ever",
    make: ({ before }) => ({ bytes: body(before).bytes, after: { again: "\n" } }),
    ends: ["timeout"],
    keeps: "some",
    options: { idleTimeoutMs: SOON_MS },
  },
  {
    name: "text outside of events for ever",
    make: ({ before }) => ({ bytes: body(before).bytes, after: { again: "x\n" } }),
    ends: ["timeout"],
    keeps: "some",
    options: { idleTimeoutMs: SOON_MS },
  },
  {
    name: "a line without end",
    make: ({ before }) => ({ bytes: body(before).bytes, after: { again: "data: x" } }),
    ends: ["timeout"],
    keeps: "some",
    options: { idleTimeoutMs: SOON_MS },
  },
  { name: "a tab after the colon", make: bodyOf(({ whole }) => whole.replace(/^data: /gm, "data:\t")), ends: "done" },
  { name: "no names of events", make: bodyOf(({ whole }) => whole.replace(/^event:.*\n/gm, "")), ends: "done" },
  {
    name: "one name for all events",
    make: bodyOf(({ whole }) => whole.replace(/^event:.*$/gm, "event: message")),
    ends: "done",
  },
  {
    name: "names in capitals",
    make: bodyOf(({ whole }) => whole.replace(/^event: .*$/gm, (line) => line.toUpperCase())),
    ends: "done",
  },
  {
    name: "names behind the data",
    make: bodyOf(({ whole }) => whole.replace(/^(event:.*)\n(data:.*)$/gm, "$2\n$1")),
    ends: "done",
  },
  {
    name: "many blank lines, and some of white space",
    make: bodyOf(({ frames }) => frames.map((frame) => `${frame}\n\n  \n\t\n`).join("")),
    ends: "done",
  },
  {
    name: "events of empty data",
    make: bodyOf(({ frames }) => frames.map((frame) => `data:\n\n${frame}`).join("")),
    ends: "done",
  },
  {
    name: "events of empty objects and lists",
    make: bodyOf(({ frames }) => frames.map((frame) => `data: {}\n\ndata: []\n\n${frame}`).join("")),
    ends: "done",
  },
  { name: "[DONE] before anything", make: bodyOf(({ whole }) => `data: [DONE]\n\n${whole}`), ends: "done" },
  {
    name: "[DONE] twice, and with spaces",
    make: bodyOf(({ whole }) => `${whole}data:  [DONE] \n\ndata: [DONE]\n\n`),
    ends: "done",
  },
  { name: "the end twice", make: bodyOf(({ whole, frames }) => whole + frames.at(-1)), ends: "done" },
  { name: "a byte-order mark in the middle", make: bodyOf(({ frames }) => frames.join("\ufeff")), ends: "done" },
  { name: "NUL between the events", make: bodyOf(({ frames }) => frames.join("\0")), ends: "done" },
  {
    name: "data: twice on a line",
    make: bodyOf(({ whole }) => whole.replace(/^data: /gm, "data: data: ")),
    ends: DAMAGED,
  },
  {
    name: "an object of a depth that nobody can write",
    make: bodyOf(
      ({ before, frames, stopFrame }) =>
        `${before}data: {"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n\n${frames.slice(stopFrame).join("")}`,
    ),
    ends: "done",
  },
];

const errorBehind = (text: string) => bodyOf(({ before }) => before + text);

/** Errors inside of a stream with status 200, in the words of gateways. */
export const ODD_ERRORS: OddAnswer[] = [
  {
    name: "plain words under the name error",
    make: errorBehind("event: error\ndata: upstream timed out\n\n"),
    ends: ["timeout"],
    keeps: "some",
    retryable: true,
  },
  {
    name: "a string under the name error",
    make: errorBehind('event: error\ndata: "rate limit exceeded"\n\n'),
    ends: ["rate_limit"],
    keeps: "some",
  },
  {
    name: "an object of another shape under the name error",
    make: errorBehind('event: error\ndata: {"message":"Overloaded","code":529}\n\n'),
    ends: ["overloaded"],
    keeps: "some",
  },
  {
    name: "error as a string",
    make: errorBehind('data: {"error":"rate limit exceeded"}\n\n'),
    ends: ["rate_limit"],
    keeps: "some",
  },
  {
    name: "an error in a list",
    make: errorBehind('data: [{"error":{"message":"quota","code":429}}]\n\n'),
    ends: ["rate_limit"],
    keeps: "some",
  },
  {
    name: "a list of errors",
    make: errorBehind('data: {"errors":[{"message":"Something failed","code":500}]}\n\n'),
    ends: ["overloaded"],
    keeps: "some",
  },
  {
    name: "detail and status",
    make: errorBehind('data: {"detail":"Service overloaded","status":503}\n\n'),
    ends: ["overloaded"],
    keeps: "some",
  },
  {
    name: "error: true beside a message",
    make: errorBehind('data: {"error":true,"message":"boom"}\n\n'),
    ends: ["unknown"],
    keeps: "some",
  },
  {
    name: "no error at all: null, {}, false and an empty list",
    make: bodyOf(({ frames }) =>
      frames
        .map((frame, index) => frame.replace("data: {", `data: {"error":${["null", "{}", "false", "[]"][index % 4]},`))
        .join(""),
    ),
    ends: "done",
  },
  {
    name: "400 with a list of errors",
    make: refused("400 Bad Request", '{"errors":[{"message":"model is required"}]}'),
    ends: ["invalid_request"],
  },
  {
    name: "422 of a web framework",
    make: refused("422 X", '{"detail":[{"loc":["body","model"],"msg":"field required","type":"missing"}]}'),
    ends: ["invalid_request"],
  },
  { name: "403 in XML", make: refused("403 X", "<Error><Code>AccessDenied</Code></Error>"), ends: ["permission"] },
  { name: "401 as a string", make: refused("401 X", '"bad key"'), ends: ["auth"] },
];
