// The messages that a run has drained from its mailbox and not yet said. A message leaves when it has entered the
// conversation, so that a run that ends in between can hand it on. Invariant: an id is taken at most once.
import type { AgentMessage } from "@rondo/agent";
import type { Recorder } from "./recorder.ts";
import type { MailboxMessage } from "./types.ts";

export class Mailbox {
  readonly #recorder: Recorder;
  readonly #taken: string[];
  #waiting: { message: AgentMessage; mail: MailboxMessage }[] = [];
  #drains = 0;

  /** Begins with what an earlier segment had drained and taken. */
  constructor(recorder: Recorder, waiting: MailboxMessage[] = [], taken: string[] = []) {
    this.#recorder = recorder;
    this.#taken = [...taken];
    for (const mail of waiting) this.#add(mail);
  }

  /** Ids of the messages that are in the conversation. */
  get taken(): string[] {
    return this.#taken;
  }

  /** What was drained and not said. */
  get waiting(): MailboxMessage[] {
    return this.#waiting.map(({ mail }) => mail);
  }

  /** Steering that has arrived. */
  async steering(): Promise<AgentMessage[]> {
    await this.drain();
    return this.#waiting.filter(({ mail }) => mail.kind === "steer").map(({ message }) => message);
  }

  /** Everything that has arrived, now that the agent would stop: late steering must not be lost. */
  async followUps(): Promise<AgentMessage[]> {
    await this.drain();
    return this.#waiting.map(({ message }) => message);
  }

  async drain(): Promise<void> {
    this.#drains++;
    for (const mail of await this.#recorder.drain(`mail:${this.#drains}`)) this.#add(mail);
  }

  /** Takes a message off, now that it is in the conversation. */
  said(message: AgentMessage): void {
    const entry = this.#waiting.find((candidate) => candidate.message === message);
    if (!entry) return;
    this.#taken.push(entry.mail.requestId);
    this.#waiting = this.#waiting.filter((other) => other !== entry);
  }

  #add(mail: MailboxMessage): void {
    const known = [...this.#taken, ...this.#waiting.map((entry) => entry.mail.requestId)];
    if (known.includes(mail.requestId)) return;
    this.#waiting.push({ message: { role: "user", content: mail.content, timestamp: mail.sentAt }, mail });
  }
}
