// The contracts: what an engine gives to one run, what an application gives to an engine, and what goes in and out of a
// run while it lives. Types only. Whatever is recorded or sent is plain JSON.
import type {
  AgentBudget,
  AgentEndReason,
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  AgentTool,
  RetryNotice,
  RunScope,
  StreamFn,
} from "@rondo/agent";
import type { AssistantMessageEvent, Model, TSchema, Usage, UserMessage } from "@rondo/ai";

/** Anything that survives a JSON round trip. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

// ---- what an application provides ----

/** A tool of a durable run. */
export interface DurableTool<TParameters extends TSchema = TSchema> extends AgentTool<TParameters> {
  /**
   * `safe`: a call that was cut by a crash is simply made again. Absent: a call is never started twice; one that was cut
   * is reported to the model as interrupted. Every other kind of call is made once and its result recorded.
   */
  replay?: "safe";
}

/** What a tool of a durable run gets as its scope. */
export interface DurableToolScope extends RunScope {
  /** The same for every attempt of this call and for no other call: hand it to services that can refuse doublets. */
  idempotencyKey: string;
}

/** What a factory may use to do its own work durably. */
export interface DurableScope {
  readonly runId: string;
  /**
   * Does something that reads the world or chance, and records what came of it; after a crash the record is given instead.
   * Names must be unique within a segment of a run and come in the same order every time. What the work throws is recorded too.
   */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Makes every call of a stream function a recorded step, for models that are called outside the loop, as compaction does. */
  recorded(name: string, streamFn: StreamFn): StreamFn;
}

/** Options of the loop that make sense here: the adapter itself provides the others. */
export type DurableLoopConfig = Omit<
  AgentLoopConfig,
  | "model"
  | "convertToLlm"
  | "getSteeringMessages"
  | "getFollowUpMessages"
  | "watchSteering"
  | "isFatal"
  | "clock"
  | "parentLedger"
  | "signal"
> & { convertToLlm?: AgentLoopConfig["convertToLlm"] };

/** Everything that one run is made of. */
export interface DurableAgent {
  model: Model;
  streamFn: StreamFn;
  /** What to begin with: a text, or messages. */
  prompt: string | AgentMessage[];
  systemPrompt?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tools of different parameters share one list
  tools?: DurableTool<any>[];
  /** The conversation before the prompt. */
  messages?: AgentMessage[];
  budget?: AgentBudget;
  /**
   * More options of the loop. `beforeToolCall` and `afterToolCall` are recorded. Every other hook runs again after a crash,
   * so it must decide by its arguments alone or do its work in `scope.step`.
   */
  config?: DurableLoopConfig;
  /** Most bytes of a tool result as JSON; the middle of longer texts is left out. Default 262,144. */
  resultMaxBytes?: number;
  /** Recorded steps after which the run goes on in a new segment, so that resuming stays quick. Default 1,000. */
  segmentStepsMax?: number;
}

/**
 * Makes the agent of a run. Called anew each time the run is taken up, with the same input, and must give the same agent.
 * If it throws, the run has failed for good: check keys and settings before the worker starts.
 */
export type AgentFactory = (input: Json, scope: DurableScope) => DurableAgent | Promise<DurableAgent>;

// ---- what goes into a run ----

/** A message in a run's mailbox. */
export interface MailboxMessage {
  /** `steer` enters before the next model call, `followUp` when the agent would stop. */
  kind: "steer" | "followUp";
  content: UserMessage["content"];
  /** Two messages with the same id are one. */
  requestId: string;
  /** Milliseconds since 1970. */
  sentAt: number;
}

// ---- what comes out of a run ----

/** How a run ended. */
export interface RunResult {
  /** What the run added to the conversation. */
  messages: AgentMessage[];
  reason: AgentEndReason;
  errorMessage?: string;
  usage: Usage;
  /** Ids of the mailbox messages that entered the conversation. */
  taken: string[];
  /** Messages that came too late to enter: hand them to the next run of the conversation. */
  undelivered: MailboxMessage[];
}

type SlimStreamEvent<E> = E extends { type: "done" | "error" } ? never : Omit<E, "partial">;

/** The events of the loop without the copies of what came before: full messages are in `message_end` alone. */
export type RunEvent =
  | Exclude<AgentEvent, { type: "agent_end" | "turn_end" | "message_start" | "message_update" }>
  | Omit<Extract<AgentEvent, { type: "agent_end" }>, "messages">
  | { type: "turn_end" }
  | { type: "message_start"; role: AgentMessage["role"] }
  | {
      type: "message_update";
      /** Absent if the model call failed and `retry` says that it is made again. */
      assistantMessageEvent?: SlimStreamEvent<AssistantMessageEvent>;
      retry?: RetryNotice;
    };

/** An event on its way out. */
export interface PublishedEvent {
  /**
   * Names an event that is the same in every attempt; a reader gets each once. Absent on progress (`message_update`,
   * `tool_execution_update`), which a later attempt may tell again.
   */
  key?: string;
  /** What the progress belongs to: the key of the event that makes it void. */
  until?: string;
  /** Counts the turns of the run from 1. */
  turn: number;
  /** How often the run had been taken up, from 1. Progress of a higher attempt voids that of lower ones for its message. */
  attempt: number;
  event: RunEvent;
}

/** An event as a reader gets it. */
export interface DurableEvent {
  /** Where to go on reading: hand it to `events` as `after`. */
  position: string;
  turn: number;
  attempt: number;
  event: RunEvent;
}

// ---- what an engine provides ----

/** What an engine gives to one segment of a run. The adapter calls it from one asynchronous flow, tool calls aside. */
export interface DurableSteps {
  readonly runId: string;
  /** Counts the segments of a run from 1. */
  readonly segment: number;
  /** Counts how often the run was taken up, from 1. */
  readonly attempt: number;
  /**
   * Gives what is recorded under this name, or does the work and records what it gives before it resolves. The work never
   * throws. Whatever this rejects with ends the segment at once and reaches the engine untouched.
   */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Resolves if the run is this worker's beyond doubt, at this moment. Asked before anything new is begun, so that a worker
   * which slept, and whose run went to another, begins nothing more. Rejects if the run is lost.
   */
  confirm(): Promise<void>;
  /** Announces steps that may run in any order or not at all, for engines that number their steps. */
  reserve(names: string[]): void;
  /** Everything new in the mailbox, in the order of sending, recorded. */
  drain(name: string): Promise<MailboxMessage[]>;
  /** Fires when somebody asked for the run to be aborted. Its reason is a sentence. */
  readonly abort: AbortSignal;
  /** Fires when the engine takes the run away: the worker stops, or another one owns the run now. */
  readonly halt: AbortSignal;
  /** Sends an event out, soon and at least once while the run lives. Never waited for. */
  publish(event: PublishedEvent): void;
  /** Resolves when everything published is out. */
  flush(): Promise<void>;
}

/** A worker at work. */
export interface Worker {
  /** Stops taking runs, lets go of those under way, which others or a later worker take up, and resolves when that is done. */
  close(): Promise<void>;
}

/** How a worker works. */
export interface WorkerOptions {
  /** Most runs at the same time; of each agent, where an engine has a queue for each. Default 10. */
  concurrency?: number;
  /** Only runs that were begun by this version, or by none yet, are taken. Change it when old records no longer fit the code. */
  version: string;
  /**
   * How often a run may be taken up before it counts as failed: for the journal in a row without any progress and
   * without being let go of by a worker that was closed, 10 by default; for DBOS in all, 100 by default.
   */
  attemptsMax?: number;
  /** Take these runs alone. Default: all. */
  runIds?: string[];
  /**
   * Called when a run cannot be worked on here, as when its files cannot be read or its end cannot be written; the other runs go
   * on, and it is tried again. Once for each problem that a run has. The journal alone tells.
   */
  onProblem?: (runId: string, problem: Error) => void;
  /** Called before and after each new record, for tests that crash there. */
  onRecord?: (moment: "before" | "after", name: string) => void;
}

/** How a run is submitted. */
export interface SubmitOptions {
  /** The name of the run: letters, digits, `.`, `_` and `-`, at most 100. Submitting it again changes nothing. */
  runId: string;
}

/** A message to a run. */
export interface SendOptions {
  kind: "steer" | "followUp";
  content: UserMessage["content"];
  /** Makes sending it again harmless. */
  requestId: string;
}

/**
 * What became of a message: it waits in the mailbox, it entered the conversation, or the run had ended without it, so that
 * it belongs to the next run.
 */
export type SendOutcome = "waiting" | "taken" | "ended";

/** Where a run stands. `failed` runs were given up: see the error of `result`. */
export type RunState = "waiting" | "running" | "ended" | "failed";

/** Runs agents so that a run outlives its process. Every method may be called from any process that reaches the store. */
export interface DurableEngine {
  /** Begins to work on runs of the named agents. */
  worker(agents: Record<string, AgentFactory>, options: WorkerOptions): Promise<Worker>;
  /** Creates a run. Throws `RunConflictError` if another run has this name. */
  submit(agent: string, input: Json, options: SubmitOptions): Promise<void>;
  /** Puts a message into the mailbox of a run. */
  send(runId: string, options: SendOptions): Promise<SendOutcome>;
  /** Asks a run to end. It answers its open tool calls and ends with the reason `aborted`. */
  abort(runId: string, reason?: string): Promise<void>;
  /**
   * The events of a run, from its beginning or after a position, each once, until it ends. Progress whose `attempt` is
   * higher than that of the progress before it replaces what its message had so far. Throws `UnknownPositionError` if `after`
   * is no position at all, at once, or if the run has ended without an event there.
   */
  events(runId: string, options?: { after?: string; signal?: AbortSignal }): AsyncIterable<DurableEvent>;
  /** Waits for the end. Rejects with `RunFailedError` if the run was given up. */
  result(runId: string, options?: { signal?: AbortSignal }): Promise<RunResult>;
  /** Throws `UnknownRunError` if there is no such run. */
  state(runId: string): Promise<RunState>;
  /** Lets go of connections. Workers are closed on their own. */
  close(): Promise<void>;
}
