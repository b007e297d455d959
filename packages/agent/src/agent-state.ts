// The state of an agent, folded from the events of its runs. It changes nothing else and knows no listener.
import type { Model } from "@rondo/ai";
import type { AgentEvent, AgentMessage, AgentState, AnyAgentTool } from "./types.ts";

/** What an agent may be given to begin with. */
export type InitialAgentState = Partial<
  Pick<AgentState, "systemPrompt" | "model" | "thinkingLevel" | "tools" | "messages">
>;

/** Stands for the model of an agent that was given none; a call with it fails and says so. */
const NO_MODEL: Model = {
  id: "unknown",
  name: "unknown",
  api: "unknown",
  provider: "unknown",
  baseUrl: "",
  reasoning: false,
  input: [],
  cost: {},
};

/** The state behind `agent.state`. Only the agent holds the methods that write. */
export class FoldedState implements AgentState {
  systemPrompt: string;
  model: Model;
  thinkingLevel: AgentState["thinkingLevel"];
  #isStreaming = false;
  #streamingMessage: AgentMessage | undefined;
  #errorMessage: string | undefined;
  #tools: AnyAgentTool[];
  #messages: AgentMessage[];
  /** How many calls under way have an id: two may share one. */
  #pending = new Map<string, number>();

  constructor(initial: InitialAgentState = {}) {
    this.systemPrompt = initial.systemPrompt ?? "";
    this.model = initial.model ?? NO_MODEL;
    this.thinkingLevel = initial.thinkingLevel ?? "off";
    this.#tools = [...(initial.tools ?? [])];
    this.#messages = [...(initial.messages ?? [])];
  }

  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  get streamingMessage(): AgentMessage | undefined {
    return this.#streamingMessage;
  }

  get errorMessage(): string | undefined {
    return this.#errorMessage;
  }

  get tools(): AnyAgentTool[] {
    return this.#tools;
  }

  set tools(tools: AnyAgentTool[]) {
    this.#tools = [...tools];
  }

  get messages(): AgentMessage[] {
    return this.#messages;
  }

  set messages(messages: AgentMessage[]) {
    this.#messages = [...messages];
  }

  /** The ids as they are now; later changes do not reach the set. */
  get pendingToolCalls(): ReadonlySet<string> {
    return new Set(this.#pending.keys());
  }

  /** A run begins. */
  begin(): void {
    this.#isStreaming = true;
    this.#streamingMessage = undefined;
    this.#errorMessage = undefined;
  }

  /** The run and its listeners are done. */
  end(): void {
    this.#isStreaming = false;
    this.#streamingMessage = undefined;
    this.#pending.clear();
  }

  clear(): void {
    this.#messages = [];
    this.#streamingMessage = undefined;
    this.#errorMessage = undefined;
    this.#pending.clear();
  }

  reduce(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
      case "message_update":
        this.#streamingMessage = event.message;
        break;
      case "message_end":
        this.#streamingMessage = undefined;
        // Whoever put the list into the store of a user interface may have frozen it.
        if (Object.isFrozen(this.#messages)) this.#messages = [...this.#messages];
        this.#messages.push(event.message);
        break;
      case "tool_execution_start":
        this.#count(event.toolCallId, 1);
        break;
      case "tool_execution_end":
        this.#count(event.toolCallId, -1);
        break;
      case "turn_end":
        this.#errorMessage = event.message.errorMessage ?? this.#errorMessage;
        break;
      case "agent_end":
        this.#streamingMessage = undefined;
        this.#errorMessage = event.errorMessage ?? this.#errorMessage;
        break;
    }
  }

  #count(callId: string, change: 1 | -1): void {
    const calls = (this.#pending.get(callId) ?? 0) + change;
    if (calls > 0) this.#pending.set(callId, calls);
    else this.#pending.delete(callId);
  }
}
