// What the model calls of a session have used, summed up by model.
import type { AssistantMessage } from "@rondo/ai";

/** What one model has used. */
export interface ModelTotals {
  calls: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** US dollars; absent if the price of a call is not known. */
  cost: number | undefined;
}

const NOTHING: ModelTotals = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

/** The sums. */
export class UsageTotals {
  /** `provider/model` → its sums. */
  readonly byModel = new Map<string, ModelTotals>();
  #all = NOTHING;

  get input(): number {
    return this.#all.input;
  }

  get output(): number {
    return this.#all.output;
  }

  get cacheRead(): number {
    return this.#all.cacheRead;
  }

  /** US dollars; undefined if the price of a call is not known. */
  get cost(): number | undefined {
    return this.#all.cost;
  }

  add(message: AssistantMessage): void {
    const name = `${message.provider}/${message.model}`;
    this.byModel.set(name, sum(this.byModel.get(name) ?? NOTHING, message));
    this.#all = sum(this.#all, message);
  }
}

function sum(totals: ModelTotals, { usage, stopReason }: AssistantMessage): ModelTotals {
  // A call that failed before it was counted costs nothing.
  const isFree = usage.totalTokens === 0 || (stopReason === "error" && usage.input === undefined);
  const isUnknown = totals.cost === undefined || (usage.cost.total === undefined && !isFree);
  return {
    calls: totals.calls + 1,
    input: totals.input + (usage.input ?? 0),
    output: totals.output + (usage.output ?? 0),
    cacheRead: totals.cacheRead + (usage.cacheRead ?? 0),
    cacheWrite: totals.cacheWrite + (usage.cacheWrite ?? 0),
    cost: isUnknown ? undefined : (totals.cost ?? 0) + (usage.cost.total ?? 0),
  };
}
