// Runs the unchanged loop of @rondo/agent on an engine's steps: one segment of a run, from its first step to the run's end
// or to the point where a new segment takes over. Knows no engine. Invariant: what an engine throws comes out as it went in.
import {
  type AgentEvent,
  type AgentLoopConfig,
  type AgentMessage,
  type AgentTool,
  BudgetLedger,
  type LedgerBooks,
  runAgentLoop,
  runAgentLoopContinue,
} from "@rondo/agent";
import type { Message } from "@rondo/ai";
import { Mailbox } from "./mailbox.ts";
import { Publisher } from "./publisher.ts";
import { recordedModel } from "./recorded-model.ts";
import { RecordedTools } from "./recorded-tools.ts";
import { Recorder } from "./recorder.ts";
import { RESULT_MAX_BYTES } from "./result-cap.ts";
import { StepNames } from "./step-names.ts";
import type {
  AgentFactory,
  DurableAgent,
  DurableScope,
  DurableSteps,
  Json,
  MailboxMessage,
  RunResult,
  WorkerOptions,
} from "./types.ts";

/** Few enough that resuming takes a second or two on any engine. */
const SEGMENT_STEPS_MAX = 1_000;

const AGENT_SHAPE = "It must return { model, streamFn, prompt, … }: see DurableAgent.";

/** What a segment hands to the next one. Plain JSON. */
export interface Carry {
  /** What the run has added to the conversation so far. */
  messages: AgentMessage[];
  turns: number;
  /** What it has used so far, which counts against its budget. */
  books: LedgerBooks;
  taken: string[];
  waiting: MailboxMessage[];
}

/** How a segment ended. */
export type SegmentEnd = { type: "end"; result: RunResult } | { type: "continue"; carry: Carry };

/** What a segment of a run begins with. */
export interface SegmentInput {
  factory: AgentFactory;
  input: Json;
  /** What the segment before handed over. Absent in the first. */
  carry?: Carry | undefined;
  onRecord?: WorkerOptions["onRecord"] | undefined;
}

/** Runs a segment. Rejects with whatever the engine failed with, and if the factory fails. */
export async function runSegment(steps: DurableSteps, segmentInput: SegmentInput): Promise<SegmentEnd> {
  const recorder = new Recorder(steps, segmentInput.onRecord);
  try {
    await recorder.run("begin", async () => null);
    const agent: unknown = await segmentInput.factory(segmentInput.input, scopeOf(recorder));
    recorder.check();
    requireAgent(agent);
    return await new Segment(recorder, agent, segmentInput.carry).run();
  } catch (error) {
    recorder.check();
    throw error;
  } finally {
    recorder.dispose();
  }
}

function scopeOf(recorder: Recorder): DurableScope {
  return {
    runId: recorder.steps.runId,
    step: (name, work) => recorder.run(`own:${name}`, work),
    recorded: (name, streamFn) => {
      let calls = 0;
      return recordedModel(recorder, () => `own:${name}:${++calls}`, streamFn);
    },
  };
}

/** A factory may come from a program without types. */
function requireAgent(agent: unknown): asserts agent is DurableAgent {
  if (typeof agent !== "object" || agent === null)
    throw new TypeError(`its agent factory gave ${agent === null ? "null" : typeof agent}. ${AGENT_SHAPE}`);
  const { model, streamFn, prompt } = agent as Partial<Record<keyof DurableAgent, unknown>>;
  const lacking = [
    ...(typeof model === "object" && model !== null ? [] : ["model"]),
    ...(typeof streamFn === "function" ? [] : ["streamFn"]),
    ...(typeof prompt === "string" || Array.isArray(prompt) ? [] : ["prompt"]),
  ];
  if (lacking.length > 0)
    throw new TypeError(`its agent factory gave an agent without ${lacking.join(" and ")}. ${AGENT_SHAPE}`);
}

type EndEvent = Extract<AgentEvent, { type: "agent_end" }>;

class Segment {
  readonly #recorder: Recorder;
  readonly #agent: DurableAgent;
  readonly #carry: Carry | undefined;
  readonly #names = new StepNames();
  readonly #tools: RecordedTools;
  readonly #mailbox: Mailbox;
  readonly #publisher: Publisher;
  readonly #books: BudgetLedger;
  #end: EndEvent | undefined;
  #terminating = true;
  #full = false;

  constructor(recorder: Recorder, agent: DurableAgent, carry: Carry | undefined) {
    this.#recorder = recorder;
    this.#agent = agent;
    this.#carry = carry;
    this.#tools = new RecordedTools(recorder, this.#names, agent.resultMaxBytes ?? RESULT_MAX_BYTES);
    this.#mailbox = new Mailbox(recorder, carry?.waiting, carry?.taken);
    this.#publisher = new Publisher(recorder.steps, carry?.turns ?? 0);
    this.#books = new BudgetLedger(agent.budget ?? agent.config?.budget, undefined, carry?.books);
  }

  async run(): Promise<SegmentEnd> {
    const added = await this.#loop();
    this.#recorder.check();
    const messages = [...(this.#carry?.messages ?? []), ...added];
    if (this.#full && this.#end?.reason === "stopped") {
      const { taken, waiting } = this.#mailbox;
      await this.#close();
      const { books } = this.#books;
      return { type: "continue", carry: { messages, turns: this.#publisher.turn, books, taken, waiting } };
    }
    await this.#mailbox.drain();
    if (this.#end) this.#publisher.end({ ...this.#end, usage: this.#books.usage });
    await this.#close();
    return { type: "end", result: this.#result(messages) };
  }

  async #loop(): Promise<AgentMessage[]> {
    const { systemPrompt = "", tools = [], messages = [] } = this.#agent;
    const before = [...messages, ...(this.#carry ? this.#carry.messages : [])];
    const context = { systemPrompt, messages: before, tools: this.#tools.wrap(tools) };
    const emit = (event: AgentEvent) => this.#see(event);
    const streamFn = recordedModel(
      this.#recorder,
      () => this.#names.nextModel(),
      this.#agent.streamFn,
      (message) => {
        const expected = this.#names.expected(message, (name) => this.#tools.stepsOf(name, this.#agent.config ?? {}));
        if (expected.length > 0) this.#recorder.steps.reserve(expected);
      },
    );
    const { signal } = this.#recorder;
    if (this.#carry) return runAgentLoopContinue(context, this.#config(), emit, signal, streamFn);
    return runAgentLoop(this.#prompts(), context, this.#config(), emit, signal, streamFn);
  }

  #prompts(): AgentMessage[] {
    const { prompt } = this.#agent;
    if (typeof prompt !== "string") return prompt;
    return [{ role: "user", content: prompt, timestamp: this.#recorder.clock.now() }];
  }

  #config(): AgentLoopConfig {
    const { model, budget, config = {} } = this.#agent;
    return {
      convertToLlm: onlyLlmMessages,
      ...config,
      ...this.#tools.hooks(config),
      ...(budget ? { budget } : {}),
      model,
      parentLedger: this.#books,
      getSteeringMessages: () => this.#mailbox.steering(),
      getFollowUpMessages: () => this.#mailbox.followUps(),
      isFatal: this.#recorder.isFatal,
      clock: this.#recorder.clock,
      ...(config.prepareNextTurn && {
        prepareNextTurn: async (turn) => {
          const update = await config.prepareNextTurn?.(turn);
          if (!update?.context) return update;
          const tools: AgentTool[] = this.#tools.wrap(update.context.tools ?? []);
          return { ...update, context: { ...update.context, tools } };
        },
      }),
      shouldStopAfterTurn: async (turn) => {
        if ((await config.shouldStopAfterTurn?.(turn)) === true) return true;
        this.#full = turn.toolResults.length > 0 && !this.#terminating && this.#recorder.count >= this.#stepsMax();
        return this.#full;
      },
    };
  }

  #stepsMax(): number {
    return this.#agent.segmentStepsMax ?? SEGMENT_STEPS_MAX;
  }

  #see(event: AgentEvent): void {
    if (this.#recorder.failure) return;
    if (event.type === "message_end") this.#mailbox.said(event.message);
    if (event.type === "turn_start") this.#terminating = true;
    if (event.type === "tool_execution_end" && event.result.terminate !== true) this.#terminating = false;
    if (event.type === "agent_end") this.#end = event;
    this.#publisher.publish(event);
  }

  /** The last step: on record only when every event is out. */
  async #close(): Promise<void> {
    await this.#recorder.run("end", async () => {
      await this.#recorder.steps.flush();
      return null;
    });
  }

  #result(messages: AgentMessage[]): RunResult {
    const { reason = "error", errorMessage } = this.#end ?? {};
    const { taken, waiting } = this.#mailbox;
    const why = errorMessage === undefined ? {} : { errorMessage };
    return { messages, reason, ...why, usage: this.#books.usage, taken, undelivered: waiting };
  }
}

function onlyLlmMessages(messages: AgentMessage[]): Message[] {
  return messages.filter(
    (message) => message.role === "user" || message.role === "assistant" || message.role === "toolResult",
  );
}
