// What a caller's own fetch, hooks and inputs may do at worst: the stream ends in one error that names the culprit, and nothing escapes.
import { createModelLayer, type Model, type SimpleStreamOptions } from "@rondo/ai";
import { describe, expect, it } from "vitest";
import { drive } from "../../src/driver.ts";

const { streamSimple } = createModelLayer({ env: {} });
const model: Model = {
  id: "m",
  name: "m",
  api: "openai-completions",
  provider: "p",
  baseUrl: "http://127.0.0.1:9/v1",
  reasoning: false,
  input: ["text"],
  cost: {},
};
const user = { role: "user" as const, content: "Hello", timestamp: 0 };
const sse = (...frames: unknown[]): string =>
  frames.map((frame) => `data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`).join("");
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const WHOLE = sse(chunk({ content: "Hi" }), chunk({}, "stop"), "[DONE]");
const encoder = new TextEncoder();

/** A body that is at hand without any waiting and never ends. */
function endless(first: string, then: string, status = 200): typeof fetch {
  let chunks = 0;
  const pull = (controller: ReadableStreamDefaultController): void =>
    controller.enqueue(encoder.encode(chunks++ === 0 ? first : then));
  return async () => new Response(new ReadableStream({ pull }), { status });
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("a thrown value that cannot be read", () => {
  const unreadable: Record<string, unknown> = {
    "an object without a prototype": Object.create(null),
    "a revoked proxy": revoked(),
    "a message that throws": {
      get message() {
        throw new Error("no");
      },
    },
    "a cause that throws": {
      get cause() {
        throw new Error("no");
      },
    },
  };
  for (const [name, value] of Object.entries(unreadable)) {
    const fail = (): never => {
      throw value;
    };
    const whole = async (): Promise<Response> => new Response(WHOLE);
    const rows: [string, SimpleStreamOptions, object][] = [
      ["fetch", { fetch: async () => fail() }, { kind: "unknown", retryable: false }],
      ["onResponse", { fetch: whole, onResponse: fail }, { kind: "invalid_request", code: "hook_failed" }],
      ["onFrame", { fetch: whole, onFrame: fail }, { kind: "invalid_request", code: "hook_failed" }],
      [
        "an onFrame that is not awaited",
        {
          fetch: async () =>
            new Response(new ReadableStream({ start: (body) => body.enqueue(encoder.encode(WHOLE.slice(0, 90))) })),
          onFrame: async () => fail(),
        },
        { kind: "invalid_request", code: "hook_failed" },
      ],
    ];
    for (const [where, options, error] of rows) {
      it(`is told as a failure of ${where}: ${name}`, async () => {
        const message = await streamSimple(model, { messages: [user] }, { apiKey: "test-key", ...options }).result();
        expect([message.stopReason, message.error]).toEqual(["error", expect.objectContaining(error)]);
      });
    }
  }
});

describe("a body that never ends and never waits", () => {
  it("is let go of after the answer", async () => {
    const options = { apiKey: "test-key", fetch: endless(WHOLE, ": ping\n\n") };
    expect((await streamSimple(model, { messages: [user] }, options).result()).stopReason).toBe("stop");
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it("of pings meets the deadline", async () => {
    const options = { apiKey: "test-key", fetch: endless(": ping\n\n", ": ping\n\n"), idleTimeoutMs: 50 };
    const message = await streamSimple(model, { messages: [user] }, options).result();
    expect(message.error).toEqual({ kind: "timeout", code: "idleTimeoutMs", retryable: true });
  });

  it("of an error is cut", async () => {
    const options = { apiKey: "test-key", fetch: endless("Busy.", "", 503), idleTimeoutMs: 50 };
    const message = await streamSimple(model, { messages: [user] }, options).result();
    expect(message.error).toEqual({ kind: "overloaded", status: 503, retryable: true, providerMessage: "Busy." });
  });
});

describe("a conversation that is spoilt while the answer streams", () => {
  const spoilers: Record<string, (context: { messages: unknown }) => void> = {
    "messages are taken away": (context) => {
      context.messages = null;
    },
    "messages throw": (context) => {
      Object.defineProperty(context, "messages", {
        get() {
          throw new Error("no");
        },
      });
    },
  };
  for (const [name, spoil] of Object.entries(spoilers)) {
    it(`still ends when it is aborted (${name})`, async () => {
      const controller = new AbortController();
      const context = { messages: [user] };
      const body = new ReadableStream({
        start: (stream) =>
          stream.enqueue(encoder.encode(sse(chunk({ tool_calls: [{ index: 0, function: { arguments: "{" } }] })))),
      });
      const stream = streamSimple(model, context, {
        apiKey: "test-key",
        signal: controller.signal,
        fetch: async () => new Response(body),
      });
      for await (const event of stream) {
        if (event.type !== "toolcall_delta") continue;
        spoil(context);
        controller.abort();
      }
      expect((await stream.result()).stopReason).toBe("aborted");
    });
  }
});

it("a clock that is set back by an hour at each look delays no deadline", async () => {
  const { openaiCompletions } = await import("../../src/api/openai-completions/index.ts");
  let hours = 1_000_000;
  const environment = {
    loadProtocol: async () => openaiCompletions,
    env: {},
    now: () => 3_600_000 * hours--,
    newToolCallId: () => "call",
  };
  const fetch = async (): Promise<Response> => new Response(new ReadableStream());
  const options = { apiKey: "test-key", fetch, idleTimeoutMs: 20 };
  const message = await drive(model, { messages: [user] }, options, environment).result();
  expect(message.error).toEqual({ kind: "timeout", code: "idleTimeoutMs", retryable: true });
});
