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

const nothing = (): Totals => ({
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  isCostPartial: false,
});
/** Of notes from before their model was kept. */
const UNKNOWN_MODEL = "unknown model";

/** The sums of one session, all its branches included. */
export class UsageTotals {
  /** `provider/model`, or `tool name`, → its sums. */
  readonly byName = new Map<string, Totals>();
  readonly #all = nothing();
  readonly #notes = nothing();

  get all(): Readonly<Totals> {
    return this.#all;
  }

  /** What the notes of compactions used; the sums by name hold it too. */
  get notes(): Readonly<Totals> {
    return this.#notes;
  }

  /** Counts the next entry. */
  add(entry: SessionEntry): void {
    if (entry.type === "message") this.#addMessage(entry.message);
    if (entry.type === "usage") this.#add(`${entry.provider}/${entry.model}`, entry.usage);
    if (entry.type === "usage" && entry.purpose === "notes") addTo(this.#notes, entry.usage);
    if (entry.type !== "compaction") return;
    const { provider, model, usage } = entry.record;
    this.#add(model === undefined ? UNKNOWN_MODEL : `${provider}/${model}`, usage);
    addTo(this.#notes, usage);
  }

  #addMessage(message: Extract<SessionEntry, { type: "message" }>["message"]): void {
    if (message.role === "toolResult" && message.usage) this.#add(`tool ${message.toolName}`, message.usage);
    if (message.role === "assistant")
      this.#add(`${message.provider}/${message.model}`, message.usage, mayHaveCost(message));
  }

  #add(name: string, usage: Usage | undefined, isPriced = true): void {
    const totals = this.byName.get(name) ?? nothing();
    if (totals.calls === 0) this.byName.set(name, totals);
    addTo(totals, usage, isPriced);
    addTo(this.#all, usage, isPriced);
  }
}

/** Whether a call may have cost anything: one that failed before it was counted did not. */
export function mayHaveCost({ usage, stopReason }: AssistantMessage): boolean {
  return usage.totalTokens !== 0 && (stopReason !== "error" || usage.input !== undefined);
}

/** @param isPriced whether it must have a price */
function addTo(totals: Totals, usage: Usage | undefined, isPriced = true): void {
  const { total, ...parts } = usage?.cost ?? {};
  totals.calls++;
  totals.input += count(usage?.input);
  totals.output += count(usage?.output);
  totals.cacheRead += count(usage?.cacheRead);
  totals.cacheWrite += count(usage?.cacheWrite);
  totals.cost += count(total ?? Object.values(parts).reduce((known, part) => known + count(part), 0));
  totals.isCostPartial ||= isPriced && total === undefined && usage?.totalTokens !== 0;
}

/** What stands in a file may be anything. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
