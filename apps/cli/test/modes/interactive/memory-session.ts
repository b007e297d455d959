// A session that is kept nowhere, and so has no other sessions to go to.
import type { Agent, AgentMessage } from "@rondo/agent";
import type { UserMessage } from "@rondo/ai";
import { personText } from "../../../src/modes/interactive/blocks/person.ts";
import type { SessionPort, TreeEntry } from "../../../src/modes/interactive/session-port.ts";
import type { Rule } from "../../../src/permissions/rules.ts";

/** Makes a session of an agent. */
export class MemorySession implements SessionPort {
  readonly agent: Agent;
  readonly root: string;
  readonly rules: Rule[];
  /** Tells the person something. */
  tell: (text: string) => void = () => {};
  #name: string | undefined;

  constructor(agent: Agent, root: string, rules: Rule[]) {
    this.agent = agent;
    this.root = root;
    this.rules = rules;
  }

  get name(): string | undefined {
    return this.#name;
  }

  get messages(): AgentMessage[] {
    return this.agent.state.messages;
  }

  onNotice(listener: (text: string) => void): void {
    this.tell = listener;
  }

  async rename(name: string): Promise<void> {
    this.#name = name;
  }

  async startNew(): Promise<void> {
    this.agent.reset();
    this.#name = undefined;
  }

  async tree(): Promise<TreeEntry[]> {
    return this.messages.flatMap((message, index) =>
      message.role === "user"
        ? [{ id: String(index), text: personText(message as UserMessage), depth: 0, isCurrent: true }]
        : [],
    );
  }

  async goBack(id: string): Promise<string> {
    const index = Number(id);
    const message = this.messages[index];
    if (message?.role !== "user") throw new Error("That place is not in the conversation any more.");
    this.agent.state.messages = this.messages.slice(0, index);
    return personText(message as UserMessage);
  }
}
