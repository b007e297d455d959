// The session of interactive mode over the keeper of sessions: what the keeper knows, in the words of the screen.
import type { Agent, AgentMessage } from "@rondo/agent";
import type { UserMessage } from "@rondo/ai";
import type { Rule } from "../../permissions/rules.ts";
import { writtenText } from "../../session/message-text.ts";
import type { PromptHistory } from "../../session/prompt-history.ts";
import type { SessionKeeper } from "../../session/session-keeper.ts";
import type { UsageTotals } from "../../session/usage-totals.ts";
import { personText } from "./blocks/person.ts";
import type { SessionPort, SessionSummary, TreeEntry } from "./session-port.ts";

/** One session after the other, of one agent. */
export class KeptSession implements SessionPort {
  readonly agent: Agent;
  readonly root: string;
  readonly rules: Rule[];
  readonly #keeper: SessionKeeper;

  constructor(keeper: SessionKeeper, root: string, rules: Rule[]) {
    this.#keeper = keeper;
    this.agent = keeper.agent;
    this.root = root;
    this.rules = rules;
  }

  get name(): string | undefined {
    return this.#keeper.name;
  }

  get messages(): AgentMessage[] {
    return this.agent.state.messages;
  }

  get usage(): UsageTotals {
    return this.#keeper.tree.usage;
  }

  get prompts(): PromptHistory {
    return this.#keeper.prompts;
  }

  contextTokens(): number {
    return this.#keeper.contextTokens();
  }

  async rename(name: string): Promise<void> {
    this.#keeper.rename(name);
  }

  onNotice(hear: (text: string) => void): void {
    this.#keeper.onNotice = hear;
  }

  startNew(): Promise<void> {
    return this.#keeper.startNew();
  }

  async tree(): Promise<TreeEntry[]> {
    const { tree } = this.#keeper;
    const onPath = new Set(tree.path().map(({ id }) => id));
    /** How deep what follows each entry is, and whether something of the person's follows it already. */
    const depths = new Map<string | null, { depth: number; isTaken: boolean }>([[null, { depth: 0, isTaken: false }]]);
    const places: TreeEntry[] = [];
    for (const { id, parentId, ...entry } of tree.entries) {
      const before = depths.get(parentId) ?? { depth: 0, isTaken: false };
      if (entry.type !== "message" || entry.message.role !== "user") {
        depths.set(id, before);
        continue;
      }
      const depth = before.isTaken ? before.depth + 1 : before.depth;
      before.isTaken = true;
      depths.set(id, { depth, isTaken: false });
      places.push({
        id,
        text: writtenText(personText(entry.message as UserMessage)),
        depth,
        isCurrent: onPath.has(id),
      });
    }
    return places;
  }

  async goBack(id: string): Promise<string> {
    return writtenText(await this.#keeper.goBack(id));
  }

  async list(): Promise<SessionSummary[]> {
    return this.#keeper.list();
  }

  async open(id: string): Promise<void> {
    await this.#keeper.open(id);
    this.#keeper.restoreModel();
  }

  fork(): Promise<void> {
    return this.#keeper.fork();
  }

  compact(instructions: string, signal: AbortSignal): Promise<string> {
    return this.#keeper.compact(instructions, signal);
  }
}
