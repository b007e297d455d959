// Messages that wait for their turn. Looking at a queue takes nothing off it: a message leaves when it has entered the
// history, so that a run that ends in between loses none and says none twice.
import type { AgentMessage, QueueMode } from "./types.ts";

export class MessageQueue {
  mode: QueueMode;
  #waiting: { message: AgentMessage }[] = [];
  #offered = new Set<{ message: AgentMessage }>();

  constructor(mode: QueueMode) {
    this.mode = mode;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** What waits, oldest first. */
  get messages(): AgentMessage[] {
    return this.#waiting.map((entry) => entry.message);
  }

  add(message: AgentMessage): void {
    this.#waiting.push({ message });
  }

  /** The messages whose turn it is. They stay in the queue until they are committed. */
  offer(): AgentMessage[] {
    const offered = this.mode === "all" ? this.#waiting : this.#waiting.slice(0, 1);
    this.#offered = new Set(offered);
    return offered.map((entry) => entry.message);
  }

  /** Takes an offered message off the queue, now that it is in the history. Whether it was one. */
  commit(message: AgentMessage): boolean {
    const entry = this.#waiting.find((candidate) => candidate.message === message && this.#offered.has(candidate));
    if (!entry) return false;
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    return true;
  }

  /** Takes a message off unsaid. Not one that was offered, unless nobody can be about to say it. Whether it was there. */
  remove(message: AgentMessage, evenIfOffered: boolean): boolean {
    const entry = this.#waiting.findLast((candidate) => candidate.message === message);
    if (!entry || (!evenIfOffered && this.#offered.has(entry))) return false;
    this.#waiting = this.#waiting.filter((other) => other !== entry);
    return true;
  }

  clear(): void {
    this.#waiting = [];
  }
}
