// Turns the loop's events into events that leave the process: without copies of what came before, numbered by turn and
// attempt, and named where they are the same in every attempt. The reader's half is event-filter.ts.
import type { AgentEvent } from "@rondo/agent";
import type { DurableSteps, PublishedEvent, RunEvent } from "./types.ts";

export class Publisher {
  readonly #steps: DurableSteps;
  readonly #first: boolean;
  readonly #counts = new Map<string, number>();
  #turn: number;

  /** @param turnsBefore how many turns earlier segments have told */
  constructor(steps: DurableSteps, turnsBefore: number) {
    this.#steps = steps;
    this.#first = steps.segment === 1;
    this.#turn = turnsBefore;
  }

  /** How many turns of the run have begun. */
  get turn(): number {
    return this.#turn;
  }

  /** Publishes an event. A run begins once, however many segments it has; its end is published by `end`. */
  publish(event: AgentEvent): void {
    if (event.type === "agent_end" || (event.type === "agent_start" && !this.#first)) return;
    if (event.type === "turn_start") this.#turn++;
    this.#send(slim(event));
  }

  end(event: Extract<AgentEvent, { type: "agent_end" }>): void {
    const { messages: _messages, ...rest } = event;
    this.#send(rest);
  }

  #send(event: RunEvent): void {
    const { attempt } = this.#steps;
    const named = this.#name(event);
    this.#steps.publish({ ...named, turn: this.#turn, attempt, event });
  }

  #name(event: RunEvent): Pick<PublishedEvent, "key" | "until"> {
    switch (event.type) {
      case "message_update":
        return { until: this.#key("message_end", this.#countOf("message_end") + 1) };
      case "tool_execution_update":
        return { until: this.#key("tool_execution_end", event.toolCallId) };
      case "tool_execution_start":
      case "tool_execution_end":
        return { key: this.#key(event.type, event.toolCallId) };
      default:
        this.#counts.set(event.type, this.#countOf(event.type) + 1);
        return { key: this.#key(event.type, this.#countOf(event.type)) };
    }
  }

  #countOf(type: string): number {
    return this.#counts.get(type) ?? 0;
  }

  #key(type: string, which: number | string): string {
    const turn = typeof which === "string" ? `${this.#turn}/` : "";
    return `${this.#steps.segment}/${type}/${turn}${which}`;
  }
}

function slim(event: Exclude<AgentEvent, { type: "agent_end" }>): RunEvent {
  switch (event.type) {
    case "turn_end":
      return { type: "turn_end" };
    case "message_start":
      return { type: "message_start", role: event.message.role };
    case "message_update":
      return slimUpdate(event);
    default:
      return event;
  }
}

function slimUpdate({ assistantMessageEvent, retry }: Extract<AgentEvent, { type: "message_update" }>): RunEvent {
  if (retry) return { type: "message_update", retry };
  if (assistantMessageEvent.type === "done" || assistantMessageEvent.type === "error")
    return { type: "message_update" };
  const { partial: _partial, ...rest } = assistantMessageEvent;
  return { type: "message_update", assistantMessageEvent: rest };
}
