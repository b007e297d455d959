// Names for the steps of a model answer: from the number of the model call and the ids in its message, which is recorded,
// so they are the same in every attempt, whatever order the calls run in. A doubled id gets a number.
import type { AssistantMessage } from "@rondo/ai";

/** What can be recorded about one tool call. */
export type CallStep = "before" | "intent" | "tool" | "after";

export class StepNames {
  #models = 0;
  #asked = new Map<string, number>();

  /** The name of the next model call. The names of tool calls belong to it from now on. */
  nextModel(): string {
    this.#models++;
    this.#asked = new Map();
    return `model:${this.#models}`;
  }

  /** The name of a step of a call, when its turn has come. */
  call(step: CallStep, toolCallId: string): string {
    return this.#count(this.#asked, step, toolCallId);
  }

  /** The names that the calls of a message will ask for. */
  expected(message: AssistantMessage, stepsOf: (toolName: string) => CallStep[]): string[] {
    const counts = new Map<string, number>();
    return message.content.flatMap((block) =>
      block.type === "toolCall" ? stepsOf(block.name).map((step) => this.#count(counts, step, block.id)) : [],
    );
  }

  #count(counts: Map<string, number>, step: CallStep, toolCallId: string): string {
    const name = `${step}:${this.#models}:${toolCallId}`;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return number === 1 ? name : `${name}#${number}`;
  }
}
