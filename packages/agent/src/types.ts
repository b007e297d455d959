// Data and contracts of the loop: messages, tools, hooks, configuration, state and the ten events. Types only.
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Context,
  Diagnostic,
  ImageContent,
  Message,
  Model,
  SimpleStreamOptions,
  Static,
  TextContent,
  ThinkingLevel,
  Tool,
  ToolCall,
  ToolResultMessage,
  TSchema,
  Usage,
} from "@rondo/ai";
import type { BudgetLedger } from "./budget.ts";
import type { Clock } from "./clock.ts";

/**
 * Makes one model call: `streamSimple` of `@rondo/ai`, or anything of that shape. It should put every failure into the
 * stream it returns; one that throws or returns something else ends the turn with an `error` message all the same.
 */
export type StreamFn = (
  model: Model,
  context: Context,
  options?: SimpleStreamOptions,
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

/**
 * How the tool calls of one message run. `sequential`: each is prepared, run and answered before the next begins.
 * `parallel`: all are prepared one by one, then run together; `tool_execution_end` comes as they finish, their result
 * messages in the order of the calls.
 */
export type ToolExecutionMode = "sequential" | "parallel";

/** How much of a queue enters the conversation when the loop looks at it: everything, or the oldest message alone. */
export type QueueMode = "all" | "one-at-a-time";

/** A tool call inside an assistant message. */
export type AgentToolCall = ToolCall;

// ---- messages ----

/**
 * Message kinds of an application, added by declaration merging: `declare module "@rondo/agent" { interface
 * CustomAgentMessages { note: NoteMessage } }`. `convertToLlm` decides what a model gets to see of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the application fills it in
export interface CustomAgentMessages {}

/** What a conversation is made of: everything a model reads, and the application's own kinds. */
export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];

// ---- tools ----

/** What a tool gives back. */
// biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
export interface AgentToolResult<TDetails = any> {
  /** Goes to the model. */
  content: (TextContent | ImageContent)[];
  /** For logs and display; never goes to the model. */
  details: TDetails;
  /** What model calls of the tool's own cost. It counts against the run's budget. */
  usage?: Usage;
  /** A failure that still has content to show. Throwing is the usual way to fail. */
  isError?: boolean;
  /** Asks the agent to stop after this batch. It stops only if every result of the batch asks. */
  terminate?: boolean;
}

/** Reports progress. Calls after the tool has settled are ignored. */
// biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
export type AgentToolUpdateCallback<TDetails = any> = (partialResult: AgentToolResult<TDetails>) => void;

/** Names of the things that one call touches: absolute paths, table names, anything that compares as text. */
export interface ToolResources {
  reads?: string[];
  writes?: string[];
}

/** What a tool or a hook may know about the run that it is part of. */
export interface RunScope {
  /** The run's budget. Who calls models himself asks it before each call, and books here what the call used. */
  ledger: BudgetLedger;
}

/** A tool that the loop can run. */
// biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
export interface AgentTool<TParameters extends TSchema = TSchema, TDetails = any> extends Tool<TParameters> {
  /** The name that people see. */
  label: string;
  /** Mends raw arguments before they are validated, such as an old parameter name. */
  prepareArguments?: (args: unknown) => Static<TParameters>;
  /** Does the work. Throws on failure. Should stop soon after `signal` aborts, and is no longer waited for if it does not. */
  execute: (
    toolCallId: string,
    params: Static<TParameters>,
    signal?: AbortSignal,
    onUpdate?: AgentToolUpdateCallback<TDetails>,
    scope?: RunScope,
  ) => Promise<AgentToolResult<TDetails>>;
  /** `sequential` makes the whole batch sequential in which this tool is called. */
  executionMode?: ToolExecutionMode;
  /** What a call reads and writes. Calls of a batch that collide run one after the other, in the order of the calls. */
  resources?: (params: Static<TParameters>) => ToolResources;
  /** Whether steering that arrives while this tool runs may abort its signal. Default false. */
  interruptible?: boolean;
}

/** A tool of whatever parameters: tools of all kinds share a list. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters are the tool's own business
export type AnyAgentTool = AgentTool<any>;

/** What the model reads and may call. The loop appends to `messages`. */
export interface AgentContext {
  systemPrompt: string;
  messages: AgentMessage[];
  tools?: AnyAgentTool[];
}

// ---- hooks ----

/** What `beforeToolCall` may answer. */
export interface BeforeToolCallResult {
  /** Do not run the tool; the model gets an error result. */
  block?: boolean;
  /** The text of that result. */
  reason?: string;
}

/** What `afterToolCall` may change. A field that is present replaces the tool's own, whole; the others stay. */
export interface AfterToolCallResult {
  content?: (TextContent | ImageContent)[];
  details?: unknown;
  isError?: boolean;
  usage?: Usage;
  terminate?: boolean;
}

/** What `beforeToolCall` decides by. */
export interface BeforeToolCallContext {
  assistantMessage: AssistantMessage;
  /** The call as the model made it. */
  toolCall: AgentToolCall;
  /** The validated arguments; the tool gets this very object. */
  args: unknown;
  context: AgentContext;
}

/** What `afterToolCall` decides by: the call, and what came of it. */
export interface AfterToolCallContext extends BeforeToolCallContext {
  /** What the tool gave back. */
  result: AgentToolResult;
  isError: boolean;
}

/** What `shouldStopAfterTurn` decides by: the turn that has ended, and all before it. */
export interface ShouldStopAfterTurnContext {
  /** The model's message of this turn. */
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  /** The conversation, this turn included. */
  context: AgentContext;
  /** What this run has added so far. */
  newMessages: AgentMessage[];
}

/** What `prepareNextTurn` decides by: the same. */
export type PrepareNextTurnContext = ShouldStopAfterTurnContext;

/** What the next model call is to use instead. */
export interface AgentLoopTurnUpdate {
  context?: AgentContext;
  model?: Model;
  thinkingLevel?: ThinkingLevel;
}

// ---- limits ----

/** Limits of one run. Absent means unlimited. They are checked before each request; the two times are kept by timers. */
export interface AgentBudget {
  /** Most model turns. */
  turnsMax?: number;
  /** Most tool calls that run. Further calls are answered with an error and the run ends. */
  toolCallsMax?: number;
  /** Most milliseconds of the whole run. What is under way then is aborted. */
  durationMaxMs?: number;
  /** Most tokens, prompts and answers together, as the providers report them. */
  tokensMax?: number;
  /** Most US dollars. */
  costMax?: number;
  /** With `costMax`, what to do about a call whose price is unknown: end the run (the default) or only note it. */
  unknownCost?: "refuse" | "warn";
  /** How often in a row the same call with the same arguments may run. One more ends the run. */
  repeatedCallsMax?: number;
  /** Most milliseconds of one tool call. Its signal aborts then, and the model is told. */
  toolTimeoutMs?: number;
  /** Most tools that run at the same time. */
  concurrentToolsMax?: number;
}

/** How failed model calls are repeated. A repeated attempt leaves no trace in the history. */
export interface RetryPolicy {
  /** Most attempts of one turn, the first included. Default 1: none is repeated. */
  attemptsMax?: number;
  /** Pause before the second attempt; it doubles with each further one. Default 1,000. */
  baseDelayMs?: number;
  /** Whether a failure is worth repeating. Default: what its `error.retryable` says. */
  isRetryable?: (message: AssistantMessage) => boolean;
}

/** A failed attempt that will be repeated, told on a `message_update`. */
export interface RetryNotice {
  /** The number of the attempt that failed, from 1. */
  attempt: number;
  attemptsMax: number;
  /** The pause before the next attempt. */
  delayMs: number;
  /** Why: the failure's own sentence. */
  errorMessage: string;
}

// ---- configuration ----

/** Everything a run is told. Options of the model layer pass through to the stream function. */
export interface AgentLoopConfig extends SimpleStreamOptions {
  model: Model;
  /** Makes the messages that a model reads. Called before each model call. */
  convertToLlm: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  /** Cuts, compacts or adds to the messages before `convertToLlm`. The history itself stays as it is. */
  transformContext?: (
    messages: AgentMessage[],
    signal?: AbortSignal,
    scope?: RunScope,
  ) => AgentMessage[] | Promise<AgentMessage[]>;
  /** The key for one model call, for keys that expire. `apiKey` where it has none. */
  getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  /** Ends the run after this turn. Runs after `prepareNextTurn`, before any queue is looked at. */
  shouldStopAfterTurn?: (context: ShouldStopAfterTurnContext) => boolean | Promise<boolean>;
  /** Changes context, model or thinking level for the turns that follow. Runs after each `turn_end`. */
  prepareNextTurn?: (
    context: PrepareNextTurnContext,
  ) => AgentLoopTurnUpdate | undefined | Promise<AgentLoopTurnUpdate | undefined>;
  /**
   * Messages to put in before the next model call; asked at the start and after each turn. After an abort the loop may
   * leave what it was given: take a message off your queue when its `message_end` arrives, not here.
   */
  getSteeringMessages?: () => AgentMessage[] | Promise<AgentMessage[]>;
  /** Messages to go on with when the agent would stop. The same rule holds for taking them off. */
  getFollowUpMessages?: () => AgentMessage[] | Promise<AgentMessage[]>;
  /** Tells the loop when steering arrives, so that `interruptible` tools stop for it. Returns how to stop telling. */
  watchSteering?: (onArrival: () => void) => () => void;
  /** Default `parallel`. */
  toolExecution?: ToolExecutionMode;
  /** Runs before a tool, after its arguments were validated. May block it. One that throws fails that call alone. */
  beforeToolCall?: (
    context: BeforeToolCallContext,
    signal?: AbortSignal,
  ) => BeforeToolCallResult | undefined | Promise<BeforeToolCallResult | undefined>;
  /** Runs after a tool, before its result is told. May change the result. One that throws fails that call alone. */
  afterToolCall?: (
    context: AfterToolCallContext,
    signal?: AbortSignal,
  ) => AfterToolCallResult | undefined | Promise<AfterToolCallResult | undefined>;
  /** Called once per turn if the provider says that the context is too long. `true` repeats the call. */
  onContextOverflow?: (messages: AgentMessage[], signal?: AbortSignal, scope?: RunScope) => boolean | Promise<boolean>;
  budget?: AgentBudget;
  /** The ledger of the run that this run is part of. What is spent here counts there too, and its limits hold here. */
  parentLedger?: BudgetLedger;
  retry?: RetryPolicy;
  /** The longest pause before a repeated attempt. A provider that asks for more is not asked again. Default 60,000. */
  maxRetryDelayMs?: number;
  /**
   * How long a run that was aborted waits for tools, hooks and streams that do not react, in milliseconds. A listener that
   * is still busy is waited for as long again. Default 5,000.
   */
  abortGraceMs?: number;
  /** An error for which this says `true` leaves the loop untouched, with no further event: for engines that suspend a run. */
  isFatal?: (error: unknown) => boolean;
  /** Default: the machine's. */
  clock?: Clock;
  /** A number from 0 to 1, for the jitter of pauses. Default `Math.random`. */
  random?: () => number;
}

// ---- events ----

/**
 * Why a run ended. `completed`: the model had nothing more to do. `empty`: its last message said nothing at all.
 * `terminated`: the tools of a batch asked for it. `stopped`: `shouldStopAfterTurn` did. `error`, `aborted` and `budget`
 * are explained by `errorMessage`.
 */
export type AgentEndReason = "completed" | "empty" | "terminated" | "stopped" | "error" | "aborted" | "budget";

/** The ten events of a run. Each starts what its name says or ends it; `message_end` alone writes history. */
export type AgentEvent =
  | { type: "agent_start" }
  | {
      type: "agent_end";
      /** What the run added to the conversation. */
      messages: AgentMessage[];
      reason: AgentEndReason;
      /** What all its model calls used and cost, those of compaction and sub-agents too, as far as it was reported. */
      usage: Usage;
      errorMessage?: string;
      diagnostics?: Diagnostic[];
    }
  | { type: "turn_start" }
  | { type: "turn_end"; message: AssistantMessage; toolResults: ToolResultMessage[] }
  | { type: "message_start"; message: AgentMessage }
  | {
      type: "message_update";
      /** A shallow copy of the message so far; its blocks are live. */
      message: AssistantMessage;
      assistantMessageEvent: AssistantMessageEvent;
      /** The attempt failed and is about to be repeated: forget what this message held. */
      retry?: RetryNotice;
    }
  | { type: "message_end"; message: AgentMessage }
  // biome-ignore lint/suspicious/noExplicitAny: arguments are whatever the tool's own schema says
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; args: any }
  | {
      type: "tool_execution_update";
      toolCallId: string;
      toolName: string;
      // biome-ignore lint/suspicious/noExplicitAny: arguments are whatever the tool's own schema says
      args: any;
      // biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
      partialResult: AgentToolResult<any>;
    }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      // biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
      result: AgentToolResult<any>;
      isError: boolean;
    };

/** Takes events, one after the other. What it returns is awaited. If it throws, the run ends with that error. */
export type AgentEventSink = (event: AgentEvent) => void | Promise<void>;

// ---- state ----

/** What an agent knows about itself at any moment. */
export interface AgentState {
  systemPrompt: string;
  /** The model of the runs to come. */
  model: Model;
  thinkingLevel: ThinkingLevel;
  /** Assigning copies the list. */
  tools: AnyAgentTool[];
  /** The history. Assigning copies the list. */
  messages: AgentMessage[];
  /** True from the start of a run until the listeners of its `agent_end` have settled. */
  readonly isStreaming: boolean;
  /** The message that is being streamed, as far as it came. */
  readonly streamingMessage?: AgentMessage | undefined;
  /** Ids of the calls under way. */
  readonly pendingToolCalls: ReadonlySet<string>;
  /** Why the last run failed or was aborted. */
  readonly errorMessage?: string | undefined;
}
