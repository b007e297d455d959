// Keeps the books of one run: turns, tool calls, tokens and money, against the run's limits and, for a run inside a tool
// of another run, against that one's too. It decides nothing but "may this still be done?".
import type { AssistantMessage, Diagnostic, Model, ToolCall, Usage } from "@rondo/ai";
import { counted } from "./counted.ts";
import type { AgentBudget } from "./types.ts";
import { addUsage, tokensOf } from "./usage.ts";

/** In no program's terms: a library has the option `unknownCost`, a command a flag for it. */
const UNKNOWN_COST_REMEDY = "Give the model its prices, or let calls of unknown cost pass with a warning.";

/** What a run has used so far, in plain JSON. */
export interface LedgerBooks {
  turns: number;
  toolCalls: number;
  tokens: number;
  usage: Usage;
  /** Whether an answer came without its cost. */
  unpriced: boolean;
}

/** What a run has used so far and whether it may go on. */
export class BudgetLedger {
  readonly #budget: AgentBudget;
  readonly #parent: BudgetLedger | undefined;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #books: LedgerBooks;
  #overrun: string | undefined;
  #lastCall = "";
  #repeats = 0;

  /** @param books what was used before, for a run that goes on elsewhere; the parent knows of it already */
  constructor(budget: AgentBudget = {}, parent?: BudgetLedger, books?: LedgerBooks) {
    this.#budget = budget;
    this.#parent = parent;
    this.#books = { turns: 0, toolCalls: 0, tokens: 0, usage: { cost: {} }, unpriced: false, ...books };
  }

  /** A ledger for one tool call: what is booked there is booked here too. */
  branch(): BudgetLedger {
    return new BudgetLedger({}, this);
  }

  /** What was booked so far: tokens and money. */
  get usage(): Usage {
    return this.#books.usage;
  }

  /** A copy of all that was booked, to go on with elsewhere. */
  get books(): LedgerBooks {
    return { ...this.#books };
  }

  /** Whether any model call was booked. */
  get touched(): boolean {
    return this.#books.turns > 0 || this.#books.tokens > 0 || this.#books.usage.cost.total !== undefined;
  }

  /** Notes for the end of the run, such as that a price is unknown. */
  get diagnostics(): Diagnostic[] {
    return this.#diagnostics;
  }

  /** Books a model turn. */
  bookTurn(): void {
    this.#books.turns++;
    this.#parent?.bookTurn();
  }

  /** Books what a model call used. A failed call often reports nothing; an answer without a cost makes the sum unknown. */
  bookAnswer(message: AssistantMessage): void {
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    if (failed) this.bookUsage(message.usage);
    else this.#bookKnown(message.usage, message.usage.cost?.total !== undefined);
  }

  /** Books what something else used, such as the model calls of a tool. */
  bookUsage(usage: Usage): void {
    this.#bookKnown(usage, true);
  }

  #bookKnown(usage: Usage, priced: boolean): void {
    this.#books.usage = addUsage(this.#books.usage, usage);
    this.#books.tokens += tokensOf(usage) ?? 0;
    if (!priced) this.#books.unpriced = true;
    if (this.#parent) this.#parent.#bookKnown(usage, priced);
  }

  /** Books a tool call, or says why it may not run. After a refusal the run makes no further request. */
  admitCall(call: ToolCall): string | undefined {
    const refusal = this.#refuseRepetition(call) ?? this.#refuseCount();
    if (refusal === undefined) this.#bookCall();
    else this.#overrun ??= refusal;
    return refusal;
  }

  /** Why no further request may be made, or undefined while one may. */
  refuseRequest(model: Model): string | undefined {
    const { turnsMax, tokensMax } = this.#budget;
    if (this.#overrun !== undefined) return this.#overrun;
    if (turnsMax !== undefined && isReached(this.#books.turns, turnsMax))
      return `The run has used its budget of ${counted(turnsMax, "turn")}.`;
    if (tokensMax !== undefined && isReached(this.#books.tokens, tokensMax))
      return `The run has used its budget of ${counted(tokensMax, "token")} (${this.#books.tokens} used).`;
    return this.#refuseCost(model) ?? this.#parent?.refuseRequest(model);
  }

  #refuseCost(model: Model): string | undefined {
    const { costMax, unknownCost = "refuse" } = this.#budget;
    if (costMax === undefined) return undefined;
    const spent = this.#books.usage.cost.total ?? 0;
    if (isReached(spent, costMax)) return `The run has used its budget of $${costMax} ($${spent} spent).`;
    const priced = model.cost?.input !== undefined && model.cost.output !== undefined && !this.#books.unpriced;
    if (priced) return undefined;
    const sentence = `The price of ${model.provider}/${model.id} is unknown, so a budget of $${costMax} cannot be kept.`;
    if (unknownCost === "refuse") return `${sentence} ${UNKNOWN_COST_REMEDY}`;
    if (this.#diagnostics.length === 0) this.#diagnostics.push({ code: "cost_unknown", message: sentence });
    return undefined;
  }

  #refuseRepetition(call: ToolCall): string | undefined {
    const { repeatedCallsMax } = this.#budget;
    const key = `${call.name} ${JSON.stringify(call.arguments)}`;
    this.#repeats = key === this.#lastCall ? this.#repeats + 1 : 1;
    this.#lastCall = key;
    if (repeatedCallsMax === undefined || this.#repeats <= repeatedCallsMax) return undefined;
    return `The model called "${call.name}" with the same arguments more than ${counted(repeatedCallsMax, "time")} in a row.`;
  }

  #refuseCount(): string | undefined {
    const { toolCallsMax } = this.#budget;
    if (toolCallsMax !== undefined && isReached(this.#books.toolCalls, toolCallsMax))
      return `The run has used its budget of ${counted(toolCallsMax, "tool call")}.`;
    return this.#parent ? this.#parent.#refuseCount() : undefined;
  }

  #bookCall(): void {
    this.#books.toolCalls++;
    if (this.#parent) this.#parent.#bookCall();
  }
}

/** A limit that is no number, such as one read from a setting that is not there, is reached at once: it must not mean none. */
function isReached(used: number, limit: number): boolean {
  return !(used < limit);
}
