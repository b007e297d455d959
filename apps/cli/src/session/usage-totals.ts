// What a session has used, summed up as its entries are added: answers, notes, the model calls of tools, and calls that left no
// message. Nothing counts twice: what a sub-agent said lies in the details of its tool's result, and only the result's usage counts.
import type { AssistantMessage, Usage } from "@rondo/ai";
import type { SessionEntry } from "./entries.ts";

/** A sum. */
export interface Totals {
  /** Model calls; for a tool its own calls. */
  calls: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars, of all that has a known price. */
  cost: number;
  /** Whether a part has no known price, so that `cost` is the least that it came to. */
  isCostPartial: boolean;
}

const NOTHING: Totals = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, isCostPartial: false };
/** Of notes from before their model was kept. */
const UNKNOWN_MODEL = "unknown model";

/** The sums of one session, all its branches included. */
export class UsageTotals {
  /** `provider/model`, or `tool name`, → its sums. */
  readonly byName = new Map<string, Totals>();
  #all = NOTHING;
  #notes = NOTHING;

  get all(): Totals {
    return this.#all;
  }

  /** What the notes of compactions used; the sums by name hold it too. */
  get notes(): Totals {
    return this.#notes;
  }

  /** Counts the next entry. */
  add(entry: SessionEntry): void {
    if (entry.type === "message") this.#addMessage(entry.message);
    if (entry.type === "usage") this.#add(`${entry.provider}/${entry.model}`, entry.usage);
    if (entry.type === "usage" && entry.purpose === "notes") this.#notes = sum(this.#notes, entry.usage);
    if (entry.type !== "compaction") return;
    const { provider, model, usage } = entry.record;
    this.#add(model === undefined ? UNKNOWN_MODEL : `${provider}/${model}`, usage);
    this.#notes = sum(this.#notes, usage);
  }

  #addMessage(message: Extract<SessionEntry, { type: "message" }>["message"]): void {
    if (message.role === "toolResult" && message.usage) this.#add(`tool ${message.toolName}`, message.usage);
    if (message.role === "assistant")
      this.#add(`${message.provider}/${message.model}`, message.usage, mayHaveCost(message));
  }

  #add(name: string, usage: Usage | undefined, isPriced = true): void {
    this.byName.set(name, sum(this.byName.get(name) ?? NOTHING, usage, isPriced));
    this.#all = sum(this.#all, usage, isPriced);
  }
}

/** Whether a call may have cost anything: one that failed before it was counted did not. */
export function mayHaveCost({ usage, stopReason }: AssistantMessage): boolean {
  return usage.totalTokens !== 0 && (stopReason !== "error" || usage.input !== undefined);
}

/** @param isPriced whether it must have a price */
function sum(totals: Totals, usage: Usage | undefined, isPriced = true): Totals {
  const { total, ...parts } = usage?.cost ?? {};
  const cost = total ?? Object.values(parts).reduce((known, part) => known + count(part), 0);
  return {
    calls: totals.calls + 1,
    input: totals.input + count(usage?.input),
    output: totals.output + count(usage?.output),
    cacheRead: totals.cacheRead + count(usage?.cacheRead),
    cacheWrite: totals.cacheWrite + count(usage?.cacheWrite),
    cost: totals.cost + count(cost),
    isCostPartial: totals.isCostPartial || (isPriced && total === undefined && usage?.totalTokens !== 0),
  };
}

/** What stands in a file may be anything. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
