// The model of a random world: it speaks, calls tools, fails, overflows, hangs, ends without a word, or hands over rubbish.
import type { StreamFn } from "@rondo/agent";
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type ErrorKind,
  type Model,
  type SimpleStreamOptions,
  type ToolCall,
  type Usage,
} from "@rondo/ai";
import { checkHistory } from "./event-checker.ts";
import type { World } from "./scripted-world.ts";

/** After so many answers the model only says that it is done. */
const CALLS_MAX = 12;

export const MODEL: Model = {
  id: "m",
  name: "m",
  api: "x",
  provider: "x",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 1 },
};

export function emptyAnswer(timestamp: number): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "x",
    provider: "x",
    model: "x",
    usage: { cost: {} },
    stopReason: "stop",
    timestamp,
  };
}

export class ScriptedModel {
  readonly #world: World;
  #calls = 0;
  #overflowed = false;
  #ids = 0;

  constructor(world: World) {
    this.#world = world;
  }

  readonly streamFn: StreamFn = (_model, context, options = {}) => {
    this.#calls++;
    this.#world.forbidAfterAbort("a model call");
    this.#world.check("a request", () => checkHistory(context.messages));
    if (this.#world.random.chance(this.#world.trouble / 4)) throw new Error("the stream function threw");
    if (this.#world.random.chance(this.#world.trouble / 4)) return 42 as unknown as AssistantMessageEventStream;
    const stream = createAssistantMessageEventStream();
    const tools = [...(context.tools ?? []).map(({ name }) => name), "nobody"];
    void this.#speak(stream, tools, options);
    return this.#world.random.chance(0.2) ? this.#world.clock.sleep(10).then(() => stream) : stream;
  };

  async #speak(stream: AssistantMessageEventStream, tools: string[], options: SimpleStreamOptions): Promise<void> {
    const message = emptyAnswer(this.#world.clock.now());
    const ending = this.#world.random.weighted({
      done: 20,
      silentEnd: this.#world.trouble,
      hang: this.#world.trouble,
      deafHang: this.#world.trouble,
      failure: 10 * this.#world.trouble,
      // A context that is too long seldom becomes short enough at once.
      overflow: this.#overflowed ? 10 : 0.5 + 4 * this.#world.trouble,
      length: 0.5,
      rubbish: this.#world.trouble,
      impure: this.#world.trouble,
    });
    this.#overflowed = ending === "overflow";
    let aborted = false;
    if (ending !== "deafHang")
      options.signal?.addEventListener("abort", () => {
        aborted = true;
        message.stopReason = "aborted";
        message.errorMessage = "aborted by the signal";
        stream.push({ type: "error", reason: "aborted", error: message });
      });
    if (this.#world.random.chance(0.9)) stream.push({ type: "start", partial: message });
    await this.#content(stream, message, tools, () => aborted);
    if (!aborted) this.#finish(stream, message, ending);
  }

  async #content(
    stream: AssistantMessageEventStream,
    message: AssistantMessage,
    tools: string[],
    aborted: () => boolean,
  ): Promise<void> {
    const calls = this.#calls >= CALLS_MAX ? 0 : this.#world.random.pick([0, 0, 1, 1, 2, 3, 6]);
    if (this.#world.random.chance(0.9)) {
      message.content.push({ type: "text", text: "" });
      for (const delta of ["let me ", "see"]) {
        if (this.#world.random.chance(0.3)) await this.#world.clock.sleep(this.#world.random.between(0, 300));
        if (aborted()) return;
        (message.content[0] as { text: string }).text += delta;
        stream.push({ type: "text_delta", contentIndex: 0, delta, partial: message });
      }
    }
    for (let index = 0; index < calls && !aborted(); index++) message.content.push(this.#call(tools));
  }

  #call(tools: string[]): ToolCall {
    const id = this.#world.random.chance(0.05) ? "again" : `call-${this.#ids++}`;
    const call: ToolCall = {
      type: "toolCall",
      id,
      name: this.#world.random.pick(tools),
      arguments: { path: this.#world.random.pick(["a", "b"]) },
    };
    if (this.#world.random.chance(0.05)) call.malformedArguments = '{"path": "a';
    if (this.#world.random.chance(0.05)) call.arguments = { path: 7 };
    return call;
  }

  #finish(stream: AssistantMessageEventStream, message: AssistantMessage, ending: string): void {
    if (ending === "silentEnd") stream.end();
    else if (ending === "rubbish")
      stream.push({ type: "done", reason: "stop", message: null as unknown as AssistantMessage });
    else if (ending === "impure")
      stream.push({ type: "done", reason: "stop", message: { ...message, more: () => 1n } as AssistantMessage });
    else if (ending === "failure" || ending === "overflow") {
      const kind: ErrorKind =
        ending === "overflow" ? "context_overflow" : this.#world.random.pick(["overloaded", "auth"] as const);
      message.stopReason = "error";
      message.errorMessage = `failed: ${kind}`;
      message.error = { kind, retryable: kind === "overloaded" };
      if (this.#world.random.chance(0.3)) message.usage = this.#usage();
      stream.push({ type: "error", reason: "error", error: message });
    } else if (!ending.endsWith("ang")) {
      const called = message.content.some((block) => block.type === "toolCall");
      const reason = ending === "length" ? "length" : called ? "toolUse" : "stop";
      message.stopReason = reason;
      if (this.#world.random.chance(0.8)) message.usage = this.#usage();
      stream.push({ type: "done", reason, message });
    }
  }

  #usage(): Usage {
    const output = this.#world.random.pick([5, 5, 50]);
    return { input: 10, output, totalTokens: 10 + output, cost: { total: 0.001 } };
  }
}
