// The stateful face of the loop: one conversation, its queues, its listeners, at most one run at a time. It contains no
// loop of its own. Invariant: state is folded before listeners hear of an event, and a queued message leaves its queue in
// the same step in which it enters the history.
import type { ImageContent } from "@rondo/ai";
import { startRun } from "./agent-loop.ts";
import { type AgentOptions, AgentSettings } from "./agent-settings.ts";
import { FoldedState } from "./agent-state.ts";
import { systemClock } from "./clock.ts";
import { requireMessage } from "./given-messages.ts";
import { MessageQueue } from "./queues.ts";
import type { AgentEvent, AgentMessage, AgentState, QueueMode } from "./types.ts";

/** Hears of each event and may use the run's signal. It is waited for. If it throws, the run ends with that error. */
export type AgentListener = (event: AgentEvent, signal: AbortSignal) => void | Promise<void>;

/** What is known of the run under way. */
interface ActiveRun {
  controller: AbortController;
  /** Settles when the run and its listeners are done. */
  idle: Promise<void>;
  /** Whether the loop is going to look at the queues again. */
  polling: boolean;
  /** Whether what the run says enters the history. `reset` ends that. */
  attached: boolean;
  /** Tools that would stop for steering. */
  steeringWatchers: Set<() => void>;
}

/** A conversation with a model that may call tools. */
export class Agent extends AgentSettings {
  readonly #state: FoldedState;
  readonly #listeners = new Map<AgentListener, (event: AgentEvent) => void | Promise<void>>();
  readonly #steering: MessageQueue;
  readonly #followUps: MessageQueue;
  #run: ActiveRun | undefined;

  constructor(options: AgentOptions = {}) {
    super(options);
    this.#state = new FoldedState(options.initialState);
    this.#steering = new MessageQueue(options.steeringMode ?? "one-at-a-time");
    this.#followUps = new MessageQueue(options.followUpMode ?? "one-at-a-time");
  }

  /** What the agent knows and holds right now. Model, tools and prompt may be assigned for the runs to come. */
  get state(): AgentState {
    return this.#state;
  }

  get steeringMode(): QueueMode {
    return this.#steering.mode;
  }

  set steeringMode(mode: QueueMode) {
    this.#steering.mode = mode;
  }

  get followUpMode(): QueueMode {
    return this.#followUps.mode;
  }

  set followUpMode(mode: QueueMode) {
    this.#followUps.mode = mode;
  }

  /** The signal of the run under way. */
  get signal(): AbortSignal | undefined {
    return this.#run?.controller.signal;
  }

  /** Listens to all events from now on, after those who came before. Returns how to stop. */
  subscribe(listener: AgentListener): () => void {
    this.#listeners.set(listener, (event) => listener(event, this.signal ?? AbortSignal.abort()));
    return () => this.#listeners.delete(listener);
  }

  /**
   * Says something and runs until the agent has nothing more to do. Failures of the model, of tools and hooks are events,
   * messages and `state.errorMessage`. Rejects if a run is under way, if a listener throws at `agent_end`, with an error
   * that `isFatal` claims, or with a TypeError if a message is not plain JSON or `budget` or `retry` has a name that means nothing.
   */
  prompt(message: AgentMessage | AgentMessage[]): Promise<void>;
  prompt(text: string, images?: ImageContent[]): Promise<void>;
  async prompt(input: string | AgentMessage | AgentMessage[], images: ImageContent[] = []): Promise<void> {
    if (this.#run) {
      throw new Error(
        "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.",
      );
    }
    await this.#drive(this.#promptMessages(input, images));
  }

  /**
   * Runs on from the history as it is, for instance after a failure. If the model had the last word, the oldest queued
   * message is put in; without one, it rejects.
   */
  async continue(): Promise<void> {
    if (this.#run) throw new Error("Agent is already processing. Wait for completion before continuing.");
    const last = this.#state.messages.at(-1);
    if (!last) throw new Error("No messages to continue from");
    if (last.role !== "assistant") return this.#drive([]);
    const steering = this.#steering.offer();
    if (steering.length > 0) return this.#drive(steering, { skipFirstPoll: true });
    const followUps = this.#followUps.offer();
    if (followUps.length > 0) return this.#drive(followUps);
    throw new Error("Cannot continue from message role: assistant");
  }

  /**
   * Queues a message for the next model call: it enters after the turn under way. Returns whether a run is there that will
   * look at the queue again; otherwise it waits for the next `prompt` or `continue`.
   * @throws TypeError if the message is not plain JSON
   */
  steer(message: AgentMessage): boolean {
    requireMessage(message, "steer()");
    this.#steering.add(message);
    for (const watcher of [...(this.#run?.steeringWatchers ?? [])]) watcher();
    return this.#willLook();
  }

  /** Queues a message for when the agent would stop. Returns, and throws, what `steer` does. */
  followUp(message: AgentMessage): boolean {
    requireMessage(message, "followUp()");
    this.#followUps.add(message);
    return this.#willLook();
  }

  clearSteeringQueue(): void {
    this.#steering.clear();
  }

  clearFollowUpQueue(): void {
    this.#followUps.clear();
  }

  clearAllQueues(): void {
    this.clearSteeringQueue();
    this.clearFollowUpQueue();
  }

  hasQueuedMessages(): boolean {
    return this.#steering.size + this.#followUps.size > 0;
  }

  /**
   * Takes a queued message back, one of `queuedMessages`. `false` if it is not there any more or is entering the
   * conversation at this moment.
   */
  takeBack(message: AgentMessage): boolean {
    const isIdle = this.#run === undefined;
    return this.#steering.remove(message, isIdle) || this.#followUps.remove(message, isIdle);
  }

  /** What waits in both queues, oldest first. */
  get queuedMessages(): { steering: AgentMessage[]; followUps: AgentMessage[] } {
    return { steering: this.#steering.messages, followUps: this.#followUps.messages };
  }

  /**
   * Ends the run under way: no further model call, no further tool. It settles within `abortGraceMs`, whoever ignores the
   * signal. `reason`, if it is text, becomes part of the error message.
   */
  abort(reason?: unknown): void {
    this.#run?.controller.abort(reason);
  }

  /** Resolves when no run is under way and the listeners of the last one have settled. Never rejects. */
  async waitForIdle(): Promise<void> {
    await this.#run?.idle;
  }

  /** Forgets history, queues and errors. A run under way is aborted, and what it still says is not kept. */
  reset(): void {
    if (this.#run) {
      this.#run.attached = false;
      this.abort("the conversation was reset");
    }
    this.#state.clear();
    this.clearAllQueues();
  }

  /** Whether the run under way is going to look at the queues again, as far as can be known. */
  #willLook(): boolean {
    return this.#run?.polling === true && !this.#run.controller.signal.aborted;
  }

  #promptMessages(input: string | AgentMessage | AgentMessage[], images: ImageContent[]): AgentMessage[] {
    const messages = Array.isArray(input)
      ? input
      : [typeof input === "string" ? this.#textMessage(input, images) : input];
    for (const message of messages) requireMessage(message, "prompt()");
    return messages;
  }

  #textMessage(text: string, images: ImageContent[]): AgentMessage {
    const clock = this.clock ?? systemClock;
    return { role: "user", content: [{ type: "text", text }, ...images], timestamp: clock.now() };
  }

  async #drive(prompts: AgentMessage[], options: { skipFirstPoll?: boolean } = {}): Promise<void> {
    let settle = () => {};
    const idle = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const controller = new AbortController();
    const run: ActiveRun = { controller, idle, polling: true, attached: true, steeringWatchers: new Set() };
    this.#run = run;
    this.#state.begin();
    try {
      await this.#startRun(prompts, run, options.skipFirstPoll === true);
    } finally {
      this.#state.end();
      this.#run = undefined;
      settle();
    }
  }

  async #startRun(prompts: AgentMessage[], run: ActiveRun, skipFirstPoll: boolean): Promise<void> {
    const { systemPrompt, messages, tools } = this.#state;
    const { signal } = run.controller;
    let skipPoll = skipFirstPoll;
    await startRun(prompts, {
      context: { systemPrompt, messages: [...messages], tools: [...tools] },
      config: {
        ...this.loopConfig(this.#state, signal),
        getSteeringMessages: () => {
          if (!skipPoll) return this.#steering.offer();
          skipPoll = false;
          return [];
        },
        getFollowUpMessages: () => this.#lastPoll(run),
        watchSteering: (onArrival) => {
          run.steeringWatchers.add(onArrival);
          return () => run.steeringWatchers.delete(onArrival);
        },
      },
      signal,
      streamFn: this.streamFunction,
      listeners: { [Symbol.iterator]: () => this.#listeners.values() },
      reduce: (event) => this.#reduce(event, run),
    });
  }

  /** Steering that came since the last look goes first. If nothing waits, the loop will not look again. */
  #lastPoll(run: ActiveRun): AgentMessage[] {
    const steering = this.#steering.offer();
    const messages = steering.length > 0 ? steering : this.#followUps.offer();
    run.polling = messages.length > 0;
    return messages;
  }

  #reduce(event: AgentEvent, run: ActiveRun): void {
    if (event.type === "agent_end") run.polling = false;
    if (!run.attached) return;
    if (event.type === "message_end" && !this.#steering.commit(event.message)) this.#followUps.commit(event.message);
    this.#state.reduce(event);
  }
}
