// Everything that one run owns: its conversation, its events, its budget and how it ends early. The loop and its parts
// share it. Invariant: a message enters the conversation at its message_end and nowhere else.
import type { AssistantMessage, Model, ToolCall, ToolResultMessage } from "@rondo/ai";
import { BudgetLedger } from "./budget.ts";
import { type Clock, durationText, systemClock } from "./clock.ts";
import { Emitter } from "./emitter.ts";
import { failureMessage, sentenceOf } from "./failure.ts";
import { Interruption } from "./interruption.ts";
import type {
  AgentContext,
  AgentEndReason,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
  AgentTool,
  RunScope,
  StreamFn,
} from "./types.ts";

/** Long enough for a tool to end its child processes, short enough for somebody who pressed Escape. */
const ABORT_GRACE_MS = 5_000;

export interface RunInput {
  context: AgentContext;
  config: AgentLoopConfig;
  signal: AbortSignal | undefined;
  streamFn: StreamFn;
  listeners: Iterable<AgentEventSink>;
  reduce?: (event: AgentEvent) => void;
}

export class Run {
  readonly streamFn: StreamFn;
  readonly clock: Clock;
  readonly interruption: Interruption;
  readonly ledger: BudgetLedger;
  /** What hooks are told. */
  readonly scope: RunScope;
  readonly newMessages: AgentMessage[] = [];
  /** Replaced by `prepareNextTurn`. */
  context: AgentContext;
  config: AgentLoopConfig;
  readonly #emitter: Emitter;
  #stopClock: () => void = () => {};
  #turnOpen = false;

  constructor(input: RunInput) {
    const { config } = input;
    this.context = { ...input.context };
    this.config = config;
    this.streamFn = input.streamFn;
    this.clock = config.clock ?? systemClock;
    this.interruption = new Interruption(this.clock, config.abortGraceMs ?? ABORT_GRACE_MS);
    this.ledger = new BudgetLedger(config.budget, config.parentLedger);
    this.scope = { ledger: this.ledger };
    this.#emitter = new Emitter({
      interruption: this.interruption,
      reduce: input.reduce ?? (() => {}),
      listeners: input.listeners,
      isFatal: (error) => this.isFatal(error),
    });
    this.interruption.follow(input.signal);
    this.#startClock();
  }

  /** Whether the run is to end as soon as it can. */
  get interrupted(): boolean {
    return this.interruption.cause !== undefined;
  }

  get turnOpen(): boolean {
    return this.#turnOpen;
  }

  /** Whether an error is to leave the loop. One that `isFatal` stumbles over is not. */
  isFatal(error: unknown): boolean {
    try {
      return this.config.isFatal?.(error) === true;
    } catch {
      return false;
    }
  }

  /** The tools of the conversation; what is no tool is passed over. */
  get tools(): AgentTool[] {
    const { tools } = this.context;
    return Array.isArray(tools) ? tools.filter(isTool) : [];
  }

  emit(event: AgentEvent): Promise<void> {
    return this.#emitter.emit(event);
  }

  /** Runs a hook, a tool or a stream of the caller's and waits, after an abort only for the grace period. */
  wait<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return this.interruption.wait(work);
  }

  /** Ends the run early because something of the caller's failed. A fatal error goes on to the caller. */
  fail(error: unknown, fallback: string): void {
    if (this.isFatal(error)) throw error;
    this.interruption.interrupt({ kind: "error", message: sentenceOf(error, fallback), error });
  }

  async startTurn(): Promise<void> {
    this.#turnOpen = true;
    await this.emit({ type: "turn_start" });
  }

  async endTurn(message: AssistantMessage, toolResults: ToolResultMessage[]): Promise<void> {
    this.#turnOpen = false;
    await this.emit({ type: "turn_end", message, toolResults });
  }

  /** Adds a message that is there as a whole. */
  async say(message: AgentMessage): Promise<void> {
    await this.emit({ type: "message_start", message });
    await this.append(message);
  }

  /**
   * The list of the conversation, to be changed. Hooks are shown it, and what they pass to the store of a user interface
   * comes back frozen: then a copy takes its place.
   */
  ownMessages(): AgentMessage[] {
    if (Object.isFrozen(this.context.messages))
      this.context = { ...this.context, messages: [...this.context.messages] };
    return this.context.messages;
  }

  /** The end of a message, and the one place where the conversation grows. */
  async append(message: AgentMessage): Promise<void> {
    this.ownMessages().push(message);
    this.newMessages.push(message);
    await this.emit({ type: "message_end", message });
  }

  /** What a call is answered with if the run ends before it could start. */
  notRun(toolCall: ToolCall): string {
    return `"${toolCall.name}" was not run. ${this.interruption.cause?.message ?? ""}`.trim();
  }

  /** What stands in the history for a model call that did not come to its end. */
  failureMessage(model: Model, partial: AssistantMessage | undefined, error: unknown): AssistantMessage {
    const { cause } = this.interruption;
    const sentence = cause?.message ?? sentenceOf(error, "The model call failed.");
    const kind = cause && cause.kind !== "error" ? "aborted" : "unknown";
    return failureMessage(model, partial, { kind, retryable: false }, sentence, this.clock.now());
  }

  /** Whether another turn, if one is wanted, may begin. A budget that is used up ends the run here. */
  mayGoOn(wanted: boolean): boolean {
    const refusal = wanted ? this.ledger.refuseRequest(this.config.model) : undefined;
    if (refusal !== undefined) this.interruption.interrupt({ kind: "budget", message: refusal });
    return !this.interrupted;
  }

  /** The last assistant message of this run. */
  lastAnswer(): AssistantMessage | undefined {
    return this.newMessages.findLast((message): message is AssistantMessage => message.role === "assistant");
  }

  /** Tells the end. Throws what a listener threw at that, since no event is left to tell it with. */
  async finish(reason: AgentEndReason): Promise<void> {
    const { diagnostics, usage } = this.ledger;
    const failed = reason === "error" || reason === "aborted";
    const before = this.interruption.cause;
    const errorMessage = before?.message ?? (failed ? this.lastAnswer()?.errorMessage : undefined);
    await this.emit({
      type: "agent_end",
      messages: this.newMessages,
      reason,
      usage,
      ...(errorMessage === undefined ? {} : { errorMessage }),
      ...(diagnostics.length === 0 ? {} : { diagnostics }),
    });
    const after = this.interruption.cause;
    if (after?.kind === "error" && after !== before) throw after.error;
  }

  /** For errors that leave the loop: nothing more is told, and what is still at work is to stop. */
  suspend(): void {
    this.#emitter.close();
    this.interruption.interrupt({ kind: "error", message: "The run was suspended." });
  }

  dispose(): void {
    this.#stopClock();
    this.interruption.dispose();
  }

  #startClock(): void {
    const durationMs = this.config.budget?.durationMaxMs;
    if (durationMs === undefined) return;
    const message = `The run has used its budget of ${durationText(durationMs)}.`;
    const timer = this.clock.setTimeout(() => this.interruption.interrupt({ kind: "budget", message }), durationMs);
    this.#stopClock = () => this.clock.clearTimeout(timer);
  }
}

/** Whether this has a name to be called by; what throws when it is looked at has none. */
function isTool(value: unknown): value is AgentTool {
  try {
    return typeof (value as AgentTool | null | undefined)?.name === "string";
  } catch {
    return false;
  }
}
