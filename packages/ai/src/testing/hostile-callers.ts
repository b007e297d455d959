// What callers hand in by mistake, from code without types: each must end as an error that says what is wrong, before anything is sent
// or at the latest when it has been answered.
import type { Context, ErrorKind, Message, Model, SimpleStreamOptions, Tool } from "../types.ts";

/** A call as a hostile caller makes it. */
export interface HostileCall {
  model: unknown;
  context: unknown;
  options: unknown;
}

export interface HostileCaller {
  name: string;
  /** Changes a good call into a bad one. */
  change: (call: { model: Model; context: Context; options: SimpleStreamOptions }) => Partial<HostileCall>;
  /** The kinds that are right; `done` where the fault is one that can be repaired. */
  ends: readonly (ErrorKind | "done")[];
}

const REMOTE = "https://api.rondo-contract.invalid";
const INVALID: readonly ErrorKind[] = ["invalid_request"];

const withOptions =
  (options: object): HostileCaller["change"] =>
  (call) => ({ options: { ...call.options, ...options } });
const withModel =
  (model: object): HostileCaller["change"] =>
  (call) => ({ model: { ...call.model, ...model } });
const withMessages =
  (...messages: unknown[]): HostileCaller["change"] =>
  (call) => ({ context: { ...call.context, messages } });
const withTools =
  (...tools: unknown[]): HostileCaller["change"] =>
  (call) => ({ context: { ...call.context, tools } });

function cyclicSchema(): Tool["parameters"] {
  const schema: Record<string, unknown> = { type: "object", properties: {} };
  (schema["properties"] as Record<string, unknown>)["child"] = schema;
  return schema as unknown as Tool["parameters"];
}

const throws = (): never => {
  throw new Error("the hook broke");
};
const never = (): Promise<never> => new Promise(() => {});
const rejects = (): Promise<never> => Promise.reject(new Error("the hook broke"));
const USER: Message = { role: "user", content: "Hello", timestamp: 0 };

const CONTEXTS: HostileCaller[] = [
  { name: "context null", change: () => ({ context: null }), ends: INVALID },
  { name: "context undefined", change: () => ({ context: undefined }), ends: INVALID },
  { name: "context a number", change: () => ({ context: 7 }), ends: INVALID },
  { name: "context an array", change: () => ({ context: [USER] }), ends: INVALID },
  { name: "messages missing", change: () => ({ context: {} }), ends: INVALID },
  { name: "messages a string", change: () => ({ context: { messages: "Hello" } }), ends: INVALID },
  { name: "messages empty", change: withMessages(), ends: ["done", "invalid_request"] },
  { name: "messages null", change: withMessages(null, USER), ends: ["done"] },
  { name: "messages of no role", change: withMessages({}, { role: "system", content: "x" }, USER), ends: ["done"] },
  { name: "content missing", change: withMessages({ role: "user" }, USER), ends: ["done"] },
  { name: "content of numbers", change: withMessages({ role: "user", content: [1, null, "x"] }, USER), ends: ["done"] },
  {
    name: "an assistant message with rubbish in it",
    change: withMessages(USER, { role: "assistant", content: [null, { type: "toolCall" }, { type: "text" }] }, USER),
    ends: ["done"],
  },
  {
    name: "a tool result of no call",
    change: withMessages(USER, { role: "toolResult", toolCallId: 5, content: null }, USER),
    ends: ["done"],
  },
  {
    name: "systemPrompt an object",
    change: (call) => ({ context: { ...call.context, systemPrompt: {} } }),
    ends: INVALID,
  },
  {
    name: "a context whose messages throw",
    change: () => ({
      context: {
        get messages() {
          throw new Error("no messages");
        },
      },
    }),
    ends: ["invalid_request", "unknown"],
  },
];

const TOOLS: HostileCaller[] = [
  { name: "tools a string", change: (call) => ({ context: { ...call.context, tools: "read" } }), ends: INVALID },
  { name: "tools null", change: (call) => ({ context: { ...call.context, tools: null } }), ends: ["done"] },
  { name: "a tool null", change: withTools(null), ends: INVALID },
  { name: "a tool without a name", change: withTools({ description: "x", parameters: {} }), ends: INVALID },
  { name: "a tool without parameters", change: withTools({ name: "read" }), ends: ["done", "invalid_request"] },
  { name: "parameters a string", change: withTools({ name: "read", parameters: "object" }), ends: INVALID },
  {
    name: "a schema with a cycle",
    change: withTools({ name: "read", description: "x", parameters: cyclicSchema() }),
    ends: ["done", "invalid_request"],
  },
  {
    name: "a schema with a bigint",
    change: withTools({
      name: "read",
      description: "x",
      parameters: { type: "object", properties: { n: { type: "integer", maximum: 5n } } },
    }),
    ends: ["done", "invalid_request"],
  },
];

const MODELS: HostileCaller[] = [
  { name: "model null", change: () => ({ model: null }), ends: INVALID },
  { name: "model undefined", change: () => ({ model: undefined }), ends: INVALID },
  { name: "model a string", change: () => ({ model: "claude" }), ends: INVALID },
  { name: "model empty", change: () => ({ model: {} }), ends: INVALID },
  { name: "model id a number", change: withModel({ id: 5 }), ends: INVALID },
  { name: "provider missing", change: withModel({ provider: undefined }), ends: INVALID },
  { name: "an unknown api", change: withModel({ api: "no-such-api" }), ends: INVALID },
  { name: "the api __proto__", change: withModel({ api: "__proto__" }), ends: INVALID },
  {
    name: "cost, input and name missing",
    change: withModel({ cost: undefined, input: undefined, name: undefined }),
    ends: ["done"],
  },
  { name: "base URL missing", change: withModel({ baseUrl: undefined }), ends: INVALID },
  { name: "base URL empty", change: withModel({ baseUrl: "" }), ends: INVALID },
  { name: "base URL without a scheme", change: withModel({ baseUrl: "api.example.com/v1" }), ends: INVALID },
  { name: "base URL of a file", change: withModel({ baseUrl: "file:///etc/passwd" }), ends: INVALID },
  {
    name: "base URL with a password",
    change: withModel({ baseUrl: "https://me:hunter22@localhost/v1" }),
    ends: INVALID,
  },
  { name: "a refused connection", change: withModel({ baseUrl: "http://127.0.0.1:1/v1" }), ends: ["network"] },
];

const OPTIONS: HostileCaller[] = [
  { name: "options null", change: () => ({ options: null }), ends: ["done", "auth"] },
  { name: "options a string", change: () => ({ options: "fast" }), ends: INVALID },
  { name: "options an array", change: () => ({ options: [] }), ends: INVALID },
  {
    name: "a missing key",
    change: (call) => ({
      model: { ...call.model, baseUrl: REMOTE },
      options: { ...call.options, apiKey: undefined, env: {} },
    }),
    ends: ["auth"],
  },
  {
    name: "an empty key",
    change: (call) => ({
      model: { ...call.model, baseUrl: REMOTE },
      options: { ...call.options, apiKey: " ", env: {} },
    }),
    ends: ["auth"],
  },
  {
    name: "a key with a line break in it",
    change: withOptions({ apiKey: "Rondo.contract/key\n+0123456789" }),
    ends: INVALID,
  },
  {
    name: "a key of letters that HTTP does not know",
    change: withOptions({ apiKey: "schlüssel…0123456789" }),
    ends: INVALID,
  },
  { name: "a key that is a number", change: withOptions({ apiKey: 12345678 }), ends: INVALID },
  ...["temperature", "maxTokens", "firstByteTimeoutMs", "idleTimeoutMs", "totalTimeoutMs"].flatMap((name) => [
    { name: `${name} NaN`, change: withOptions({ [name]: Number.NaN }), ends: INVALID },
    { name: `${name} negative`, change: withOptions({ [name]: -1 }), ends: INVALID },
    { name: `${name} a string`, change: withOptions({ [name]: "5" }), ends: INVALID },
    { name: `${name} undefined`, change: withOptions({ [name]: undefined }), ends: ["done"] as const },
  ]),
  { name: "a deadline beyond what a timer takes", change: withOptions({ totalTimeoutMs: 2 ** 40 }), ends: ["done"] },
  { name: "a signal that is none", change: withOptions({ signal: {} }), ends: INVALID },
  { name: "headers a string", change: withOptions({ headers: "x" }), ends: INVALID },
  { name: "a header with a line break", change: withOptions({ headers: { "x-team": "a\r\nb: c" } }), ends: INVALID },
  { name: "a header name that is none", change: withOptions({ headers: { "a b": "c" } }), ends: INVALID },
  { name: "stop sequences a string", change: withOptions({ stopSequences: "END" }), ends: INVALID },
  { name: "a tool choice that is none", change: withOptions({ toolChoice: "maybe" }), ends: INVALID },
  { name: "a thinking level that is none", change: withOptions({ reasoning: "enormous" }), ends: INVALID },
  {
    name: "a schema for the answer that stands bare",
    change: withOptions({ responseSchema: { type: "object" } }),
    ends: INVALID,
  },
  { name: "fetch a string", change: withOptions({ fetch: "x" }), ends: INVALID },
  { name: "fetch that throws", change: withOptions({ fetch: throws }), ends: ["unknown", "network"] },
  { name: "fetch that resolves with nothing", change: withOptions({ fetch: async () => undefined }), ends: INVALID },
  {
    name: "fetch that never settles",
    change: withOptions({ fetch: never, firstByteTimeoutMs: 60 }),
    ends: ["timeout"],
  },
];

const HOOKS: HostileCaller[] = [
  ...["onPayload", "onResponse", "onFrame"].flatMap((name) => [
    { name: `${name} that throws`, change: withOptions({ [name]: throws }), ends: INVALID },
    {
      name: `${name} that rejects`,
      change: withOptions({ [name]: rejects }),
      ends: ["invalid_request", "done"] as const,
    },
    { name: `${name} that is none`, change: withOptions({ [name]: "x" }), ends: INVALID },
  ]),
  {
    name: "onPayload that never settles",
    change: withOptions({ onPayload: never, firstByteTimeoutMs: 60 }),
    ends: ["timeout"],
  },
  {
    name: "onResponse that never settles",
    change: withOptions({ onResponse: never, firstByteTimeoutMs: 60 }),
    ends: ["timeout"],
  },
  { name: "onFrame that never settles", change: withOptions({ onFrame: never }), ends: ["done"] },
  { name: "onPayload that returns a string", change: withOptions({ onPayload: () => "x" }), ends: INVALID },
  { name: "onPayload that returns null", change: withOptions({ onPayload: () => null }), ends: INVALID },
];

/** Every hostile caller. */
export const HOSTILE_CALLERS: readonly HostileCaller[] = [...CONTEXTS, ...TOOLS, ...MODELS, ...OPTIONS, ...HOOKS];
