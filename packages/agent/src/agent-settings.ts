// What an agent can be told: its options, kept as properties that may be changed between runs, and their translation into
// the configuration of one run. Knows nothing of conversations, queues or listeners.
import type { Message, SimpleStreamOptions, ThinkingBudgets } from "@rondo/ai";
import type { InitialAgentState } from "./agent-state.ts";
import { resolveStreamFn } from "./default-stream-fn.ts";
import { requireKnownOptions } from "./known-options.ts";
import type {
  AgentLoopConfig,
  AgentLoopTurnUpdate,
  AgentMessage,
  AgentState,
  PrepareNextTurnContext,
  QueueMode,
  StreamFn,
  ToolExecutionMode,
} from "./types.ts";

/** Options that mean to an agent exactly what they mean to the loop; see `AgentLoopConfig`. */
const LOOP_OPTIONS = [
  "transformContext",
  "getApiKey",
  "onPayload",
  "onResponse",
  "beforeToolCall",
  "afterToolCall",
  "shouldStopAfterTurn",
  "onContextOverflow",
  "sessionId",
  "thinkingBudgets",
  "toolExecution",
  "budget",
  "parentLedger",
  "retry",
  "maxRetryDelayMs",
  "abortGraceMs",
  "isFatal",
  "clock",
  "random",
] as const satisfies (keyof AgentLoopConfig)[];

type LoopOptions = Pick<AgentLoopConfig, (typeof LOOP_OPTIONS)[number]>;
type TurnUpdate = AgentLoopTurnUpdate | undefined;

/** How an agent is set up. */
export interface AgentOptions extends LoopOptions {
  /** System prompt, model, thinking level, tools and history to begin with. */
  initialState?: InitialAgentState;
  /** Default: user, assistant and tool-result messages go to the model, messages of other kinds do not. */
  convertToLlm?: AgentLoopConfig["convertToLlm"];
  /** Default: what `setDefaultStreamFn` was given. The constructor throws if there is neither. */
  streamFn?: StreamFn;
  /** Changes context, model or thinking level for the turns that follow. Runs after each turn. */
  prepareNextTurn?: (signal?: AbortSignal) => TurnUpdate | Promise<TurnUpdate>;
  /** The same with the turn to look at. Where both are there, this one runs. */
  prepareNextTurnWithContext?: (
    context: PrepareNextTurnContext,
    signal?: AbortSignal,
  ) => TurnUpdate | Promise<TurnUpdate>;
  /** How much steering enters at once. Default `one-at-a-time`. */
  steeringMode?: QueueMode;
  /** How many follow-ups enter at once. Default `one-at-a-time`. */
  followUpMode?: QueueMode;
  /** More options of the model layer for each call, such as `temperature`. */
  streamOptions?: SimpleStreamOptions;
}

/** The options of an agent as properties. A change holds from the next run on. */
export class AgentSettings {
  convertToLlm: AgentLoopConfig["convertToLlm"];
  streamFunction: StreamFn;
  streamOptions: SimpleStreamOptions;
  transformContext: AgentLoopConfig["transformContext"] | undefined;
  getApiKey: AgentLoopConfig["getApiKey"] | undefined;
  onPayload: AgentLoopConfig["onPayload"] | undefined;
  onResponse: AgentLoopConfig["onResponse"] | undefined;
  beforeToolCall: AgentLoopConfig["beforeToolCall"] | undefined;
  afterToolCall: AgentLoopConfig["afterToolCall"] | undefined;
  shouldStopAfterTurn: AgentLoopConfig["shouldStopAfterTurn"] | undefined;
  onContextOverflow: AgentLoopConfig["onContextOverflow"] | undefined;
  prepareNextTurn: AgentOptions["prepareNextTurn"] | undefined;
  prepareNextTurnWithContext: AgentOptions["prepareNextTurnWithContext"] | undefined;
  sessionId: string | undefined;
  thinkingBudgets: ThinkingBudgets | undefined;
  toolExecution: ToolExecutionMode;
  budget: AgentLoopConfig["budget"] | undefined;
  parentLedger: AgentLoopConfig["parentLedger"] | undefined;
  retry: AgentLoopConfig["retry"] | undefined;
  maxRetryDelayMs: number | undefined;
  abortGraceMs: number | undefined;
  isFatal: AgentLoopConfig["isFatal"] | undefined;
  clock: AgentLoopConfig["clock"] | undefined;
  random: AgentLoopConfig["random"] | undefined;

  constructor(options: AgentOptions) {
    requireKnownOptions(options);
    for (const name of LOOP_OPTIONS) Object.assign(this, { [name]: options[name] });
    this.toolExecution = options.toolExecution ?? "parallel";
    this.convertToLlm = options.convertToLlm ?? onlyLlmMessages;
    this.streamFunction = resolveStreamFn(options.streamFn);
    this.streamOptions = options.streamOptions ?? {};
    this.prepareNextTurn = options.prepareNextTurn;
    this.prepareNextTurnWithContext = options.prepareNextTurnWithContext;
  }

  /** The part of a run's configuration that does not depend on the conversation. */
  protected loopConfig({ model, thinkingLevel }: AgentState, signal: AbortSignal): AgentLoopConfig {
    const { prepareNextTurn, prepareNextTurnWithContext } = this;
    const given = LOOP_OPTIONS.filter((name) => this[name] !== undefined).map((name) => [name, this[name]]);
    return {
      ...this.streamOptions,
      ...Object.fromEntries(given),
      model,
      reasoning: thinkingLevel,
      convertToLlm: this.convertToLlm,
      prepareNextTurn: (context) =>
        prepareNextTurnWithContext ? prepareNextTurnWithContext(context, signal) : prepareNextTurn?.(signal),
    };
  }
}

function onlyLlmMessages(messages: AgentMessage[]): Message[] {
  return messages.filter(
    (message) => message.role === "user" || message.role === "assistant" || message.role === "toolResult",
  );
}
