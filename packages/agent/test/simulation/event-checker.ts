// Checks a run event by event: the grammar of the ten events, the validity of the history they write, the results of the
// calls. Throws at the first event that is out of place.
import type { AgentEvent, AgentMessage } from "@rondo/agent";
import type { AssistantMessage, ToolCall } from "@rondo/ai";

type Phase = "idle" | "between" | "prompts" | "answer" | "tools";

export class EventChecker {
  /** What the events wrote, message_end by message_end. */
  readonly history: AgentMessage[] = [];
  readonly log: string[] = [];
  #phase: Phase = "idle";
  #open: AgentMessage | undefined;
  #answer: AssistantMessage | undefined;
  #calls: { call: ToolCall; state: "waiting" | "running" | "ended" | "answered" }[] = [];
  #runs = 0;

  constructor(history: AgentMessage[] = []) {
    this.history.push(...history);
  }

  get runs(): number {
    return this.#runs;
  }

  get idle(): boolean {
    return this.#phase === "idle";
  }

  /** Ids of the calls under way. */
  get runningCalls(): Set<string> {
    return new Set(this.#calls.filter(({ state }) => state === "running").map(({ call }) => call.id));
  }

  get messageOpen(): boolean {
    return this.#open !== undefined;
  }

  check(event: AgentEvent): void {
    this.log.push(describe(event));
    switch (event.type) {
      case "agent_start":
        this.#move("idle", "between", event);
        break;
      case "turn_start":
        this.#move("between", "prompts", event);
        break;
      case "message_start":
        this.#startMessage(event.message, event);
        break;
      case "message_update":
        if (this.#open?.role !== "assistant") this.#refuse(event, "no answer is being streamed");
        break;
      case "message_end":
        this.#endMessage(event.message, event);
        break;
      case "tool_execution_start":
      case "tool_execution_update":
      case "tool_execution_end":
        this.#tool(event);
        break;
      case "turn_end":
        this.#endTurn(event);
        break;
      case "agent_end":
        this.#move("between", "idle", event);
        this.#runs++;
        break;
    }
  }

  #startMessage(message: AgentMessage, event: AgentEvent): void {
    if (this.#open) this.#refuse(event, "another message is open");
    this.#open = message;
    if (message.role === "assistant") this.#move("prompts", "answer", event);
    else if (message.role === "toolResult") this.#expect("tools", event);
    else this.#expect("prompts", event);
  }

  #endMessage(message: AgentMessage, event: AgentEvent): void {
    if (!this.#open || this.#open.role !== message.role) this.#refuse(event, "it was not started");
    this.#open = undefined;
    const json = JSON.stringify(message);
    if (JSON.stringify(JSON.parse(json)) !== json) this.#refuse(event, "the message is not plain JSON");
    this.history.push(message);
    if (message.role === "assistant") this.#openCalls(message);
    if (message.role === "toolResult") {
      const next = this.#calls.find((entry) => entry.state !== "answered");
      if (next?.state !== "ended" || next.call.id !== message.toolCallId || next.call.name !== message.toolName)
        this.#refuse(event, "it answers no call whose turn it is");
      else next.state = "answered";
    }
  }

  #openCalls(message: AssistantMessage): void {
    this.#phase = "tools";
    this.#answer = message;
    const calls = message.content.filter((block) => block.type === "toolCall");
    this.#calls = calls.map((call) => ({ call, state: "waiting" }));
  }

  #tool(event: Extract<AgentEvent, { toolCallId: string }>): void {
    this.#expect("tools", event);
    if (this.#open) this.#refuse(event, "a message is open");
    const before = event.type === "tool_execution_start" ? "waiting" : "running";
    const entry = this.#calls.find(({ call, state }) => call.id === event.toolCallId && state === before);
    if (!entry) this.#refuse(event, `no call with this id is ${before}`);
    else if (event.type === "tool_execution_start") entry.state = "running";
    else if (event.type === "tool_execution_end") entry.state = "ended";
  }

  #endTurn(event: Extract<AgentEvent, { type: "turn_end" }>): void {
    this.#move("tools", "between", event);
    if (event.message !== this.#answer) this.#refuse(event, "it carries another message");
    if (this.#calls.some(({ state }) => state !== "answered")) this.#refuse(event, "calls are unanswered");
    if (event.toolResults.length !== this.#calls.length) this.#refuse(event, "results are missing");
  }

  #move(from: Phase, to: Phase, event: AgentEvent): void {
    this.#expect(from, event);
    this.#phase = to;
  }

  #expect(phase: Phase, event: AgentEvent): void {
    if (this.#phase !== phase) this.#refuse(event, `the phase is "${this.#phase}", not "${phase}"`);
  }

  #refuse(event: AgentEvent, why: string): void {
    throw new Error(`${describe(event)} is out of place: ${why}. Before it: ${this.log.slice(-12).join(", ")}`);
  }
}

/** Throws unless every call of a history is answered exactly once, right after it, in its order. */
export function checkHistory(messages: AgentMessage[]): void {
  let waiting: ToolCall[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") {
      const call = waiting.shift();
      if (call?.id !== message.toolCallId) throw new Error(`Message ${index} answers no call.`);
    } else if (waiting.length > 0)
      throw new Error(`Message ${index} comes before the results of ${waiting.length} calls.`);
    if (message.role === "assistant") waiting = message.content.filter((block) => block.type === "toolCall");
  }
  if (waiting.length > 0) throw new Error(`${waiting.length} calls at the end have no results.`);
}

function describe(event: AgentEvent): string {
  if ("toolCallId" in event) return `${event.type}(${event.toolCallId})`;
  return event.type.startsWith("message_") && "message" in event ? `${event.type}(${event.message.role})` : event.type;
}
