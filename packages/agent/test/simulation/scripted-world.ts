// Everything around an agent that can go wrong, chosen at random: models, tools, hooks and listeners that work, wait,
// throw, hang, hand over rubbish, speak up late, or turn on the agent that is calling them.
import type { Agent, AgentEvent, AgentOptions, AgentTool, AgentToolResult, StreamFn } from "@rondo/agent";
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type ErrorKind,
  type SimpleStreamOptions,
  type ToolCall,
  Type,
} from "@rondo/ai";
import { checkHistory } from "./event-checker.ts";
import type { Random } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** How long an aborted run waits for those who do not react. */
export const GRACE_MS = 1_000;
/** After so many answers the model only says that it is done. */
const CALLS_MAX = 12;
const PATH = Type.Object({ path: Type.String() });
type PathTool = AgentTool<typeof PATH>;
const TOOL_NAMES = ["plain", "locked", "serial", "patient", "nobody"];

export class World {
  readonly random: Random;
  readonly clock: VirtualClock;
  agent!: Agent;
  /** What a check found; the run fails with it at the end. */
  readonly complaints: string[] = [];
  modelCalls = 0;
  prompts = 0;
  #ids = 0;
  /** How likely it is that something misbehaves; some runs are peaceful. */
  readonly #trouble: number;

  constructor(random: Random, clock: VirtualClock) {
    this.random = random;
    this.clock = clock;
    this.#trouble = random.pick([0, 0.02, 0.1, 0.3]);
  }

  readonly complain = (what: string): void => {
    this.complaints.push(what);
  };

  /** Fails the run if somebody is asked for something new after an abort. */
  forbidAfterAbort(what: string): void {
    if (this.agent.signal?.aborted) this.complain(`${what} after an abort`);
  }

  /** Something that may go wrong on the way to `value`. */
  async maybe<T>(value: T): Promise<T> {
    if (!this.random.chance(this.#trouble)) {
      if (this.random.chance(0.2)) await this.clock.sleep(this.random.between(0, 200));
      return value;
    }
    const kind = this.random.weighted({
      throws: 3,
      throwsText: 1,
      hangs: 1,
      slow: 2,
      rubbish: 1,
      aborts: 1,
      steers: 1,
    });
    if (kind === "throws") throw new Error("trouble");
    if (kind === "throwsText") throw "trouble";
    if (kind === "hangs") return new Promise(() => {});
    if (kind === "slow") await this.clock.sleep(this.random.between(500, 20_000));
    if (kind === "rubbish") return 42 as T;
    if (kind === "aborts") this.agent.abort();
    if (kind === "steers") this.say();
    return value;
  }

  /** Queues a message that nobody said before. */
  readonly said: string[] = [];
  say(): void {
    const text = `said ${this.said.length}`;
    this.said.push(text);
    const message = { role: "user" as const, content: text, timestamp: this.clock.now() };
    if (this.random.chance(0.5)) this.agent.steer(message);
    else this.agent.followUp(message);
  }

  // ---- the model ----

  readonly streamFn: StreamFn = (_model, context, options = {}) => {
    this.modelCalls++;
    this.forbidAfterAbort("a model call");
    try {
      checkHistory(context.messages);
    } catch (error) {
      this.complain(`a request with a broken history: ${(error as Error).message}`);
    }
    if (this.random.chance(this.#trouble / 4)) throw new Error("the stream function threw");
    if (this.random.chance(this.#trouble / 4)) return 42 as unknown as AssistantMessageEventStream;
    const stream = createAssistantMessageEventStream();
    void this.#speak(stream, options);
    return this.random.chance(0.2) ? this.clock.sleep(10).then(() => stream) : stream;
  };

  async #speak(stream: AssistantMessageEventStream, options: SimpleStreamOptions): Promise<void> {
    const message = emptyAnswer(this.clock.now());
    const ending = this.random.weighted({
      done: 20,
      silentEnd: this.#trouble,
      hang: this.#trouble,
      deafHang: this.#trouble,
      failure: 10 * this.#trouble,
      overflow: this.#trouble,
      length: 0.5,
      rubbish: this.#trouble,
    });
    let aborted = false;
    if (ending !== "deafHang")
      options.signal?.addEventListener("abort", () => {
        aborted = true;
        message.stopReason = "aborted";
        message.errorMessage = "aborted by the signal";
        stream.push({ type: "error", reason: "aborted", error: message });
      });
    if (this.random.chance(0.9)) stream.push({ type: "start", partial: message });
    await this.#content(stream, message, () => aborted);
    if (!aborted) this.#finish(stream, message, ending);
  }

  async #content(
    stream: AssistantMessageEventStream,
    message: AssistantMessage,
    aborted: () => boolean,
  ): Promise<void> {
    const calls = this.modelCalls >= CALLS_MAX ? 0 : this.random.pick([0, 0, 1, 1, 2, 3, 6]);
    if (this.random.chance(0.9)) {
      message.content.push({ type: "text", text: "" });
      for (const delta of ["let me ", "see"]) {
        if (this.random.chance(0.3)) await this.clock.sleep(this.random.between(0, 300));
        if (aborted()) return;
        (message.content[0] as { text: string }).text += delta;
        stream.push({ type: "text_delta", contentIndex: 0, delta, partial: message });
      }
    }
    for (let index = 0; index < calls && !aborted(); index++) message.content.push(this.#call());
  }

  #call(): ToolCall {
    const id = this.random.chance(0.05) ? "again" : `call-${this.#ids++}`;
    const call: ToolCall = {
      type: "toolCall",
      id,
      name: this.random.pick(TOOL_NAMES),
      arguments: { path: this.random.pick(["a", "b"]) },
    };
    if (this.random.chance(0.05)) call.malformedArguments = '{"path": "a';
    if (this.random.chance(0.05)) call.arguments = { path: 7 };
    return call;
  }

  #finish(stream: AssistantMessageEventStream, message: AssistantMessage, ending: string): void {
    if (ending === "silentEnd") stream.end();
    else if (ending === "rubbish")
      stream.push({ type: "done", reason: "stop", message: null as unknown as AssistantMessage });
    else if (ending === "failure" || ending === "overflow") {
      const kind: ErrorKind =
        ending === "overflow" ? "context_overflow" : this.random.pick(["overloaded", "auth"] as const);
      message.stopReason = "error";
      message.errorMessage = `failed: ${kind}`;
      message.error = { kind, retryable: kind === "overloaded" };
      stream.push({ type: "error", reason: "error", error: message });
    } else if (!ending.endsWith("ang")) {
      const called = message.content.some((block) => block.type === "toolCall");
      const reason = ending === "length" ? "length" : called ? "toolUse" : "stop";
      message.stopReason = reason;
      if (this.random.chance(0.8)) message.usage = { input: 10, output: 5, totalTokens: 15, cost: { total: 0.001 } };
      stream.push({ type: "done", reason, message });
    }
  }

  // ---- tools ----

  tools(): PathTool[] {
    const base = { label: "tool", description: "a tool", parameters: PATH, execute: this.#execute };
    const locked = (args: { path: string }) => ({ writes: [args.path] });
    return [
      { ...base, name: "plain" },
      { ...base, name: "locked", resources: locked, execute: this.#executeLocked },
      { ...base, name: "serial", ...(this.random.chance(0.2) ? { executionMode: "sequential" as const } : {}) },
      { ...base, name: "patient", interruptible: true },
    ];
  }

  readonly #execute: PathTool["execute"] = async (id, _args, signal, onUpdate) => {
    this.forbidAfterAbort("a tool start");
    if (this.random.chance(0.3)) onUpdate?.(result("half way"));
    if (this.random.chance(0.1))
      this.clock.setTimeout(() => onUpdate?.(result("late")), this.random.between(0, 30_000));
    if (this.random.chance(0.3)) await this.#interruptible(this.random.between(0, 3_000), signal);
    if (this.random.chance(this.#trouble))
      return this.random.pick([undefined, null, {}, { content: 3 }, circular()]) as AgentToolResult;
    const done = await this.maybe(result(`result of ${id}`));
    return this.random.chance(0.1) ? { ...done, terminate: true } : done;
  };

  readonly #locks = new Set<string>();
  readonly #executeLocked: PathTool["execute"] = async (id, args, signal, onUpdate) => {
    if (this.#locks.has(args.path)) this.complain(`two calls at once on ${args.path}`);
    this.#locks.add(args.path);
    signal?.addEventListener("abort", () => this.#locks.delete(args.path));
    try {
      return await this.#execute(id, args, signal, onUpdate);
    } finally {
      this.#locks.delete(args.path);
    }
  };

  /** Waits; stops with the signal as a good tool does, or ignores it. */
  async #interruptible(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (!signal || this.random.chance(0.3)) return this.clock.sleep(delayMs);
    await new Promise<void>((resolve, reject) => {
      this.clock.setTimeout(resolve, delayMs);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  // ---- hooks ----

  hooks(): AgentOptions {
    const all: AgentOptions = {
      transformContext: (messages) => this.maybe(messages),
      getApiKey: () => this.maybe("key"),
      beforeToolCall: async () => {
        this.forbidAfterAbort("beforeToolCall");
        return this.maybe(this.random.chance(0.1) ? { block: true, reason: "not now" } : undefined);
      },
      afterToolCall: () => this.maybe(this.random.chance(0.1) ? { isError: true, details: { at: 1n } } : undefined),
      shouldStopAfterTurn: () => this.maybe(this.random.chance(0.03)),
      onContextOverflow: () => this.maybe(this.random.chance(0.5)),
    };
    return Object.fromEntries(Object.entries(all).filter(() => this.random.chance(0.5)));
  }

  /** Something that listens, is slow at times, speaks up, and now and then forgets that a run is under way. */
  listener(): (event: AgentEvent) => void | Promise<void> {
    const slow = this.random.chance(0.5);
    const busySince = new Set<{ at: number }>();
    // One that takes longer than the grace period is not waited for any more once its run has been ended early.
    let givenUp = false;
    return (event) => {
      if ([...busySince].some(({ at }) => this.clock.now() - at >= GRACE_MS)) givenUp = true;
      if (busySince.size > 0 && !givenUp) this.complain("a listener hears two events at once");
      if (event.type === "message_update") return;
      if (this.random.chance(0.03)) this.say();
      if (this.random.chance(0.02)) void this.#promptInBetween();
      if (!slow || this.random.chance(0.7)) return;
      const visit = { at: this.clock.now() };
      busySince.add(visit);
      return this.maybe(undefined).finally(() => {
        busySince.delete(visit);
        if (this.clock.now() - visit.at >= GRACE_MS) givenUp = true;
      });
    };
  }

  async #promptInBetween(): Promise<void> {
    const refused = await this.agent.prompt("now").catch(() => "refused");
    if (refused !== "refused") this.complain("two runs at once");
  }
}

function emptyAnswer(timestamp: number): AssistantMessage {
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

function result(text: string): AgentToolResult {
  return { content: [{ type: "text", text }], details: {} };
}

function circular(): AgentToolResult {
  const details: Record<string, unknown> = {};
  details["self"] = details;
  return { content: [{ type: "text", text: "round" }], details };
}
