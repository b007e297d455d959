// Stands before every tool call of the agent: lets it through, asks the person, or refuses with a reason that the model and the
// person can read. Remembers what was refused, for the end of the run.
import type { BeforeToolCallContext, BeforeToolCallResult } from "@rondo/agent";
import { type Decision, decide, type PermissionSettings } from "./engine.ts";

/** A call that was not run. */
export interface Refusal {
  tool: string;
  args: Record<string, unknown>;
  reason: string;
  /** The rule that would have allowed it; empty if a rule or a person forbids it. */
  suggestion: string;
}

/** What a person may answer; the reason of a no goes to the model. */
export type PersonAnswer = boolean | { allow: boolean; reason?: string };

/** Asks the person about a call. Resolves with whether it may run. */
export type AskPerson = (tool: string, args: Record<string, unknown>, decision: Decision) => Promise<PersonAnswer>;

/** The gate of one session. */
export class PermissionGate {
  readonly #settings: PermissionSettings;
  readonly #askPerson: AskPerson | undefined;
  /** Everything that was refused so far. */
  readonly refusals: Refusal[] = [];

  /** @param askPerson absent where nobody can be asked: what would be asked about is refused then */
  constructor(settings: PermissionSettings, askPerson?: AskPerson) {
    this.#settings = settings;
    this.#askPerson = askPerson;
  }

  /** The agent's `beforeToolCall`. */
  async check({ toolCall, args }: BeforeToolCallContext): Promise<BeforeToolCallResult | undefined> {
    const callArguments = args as Record<string, unknown>;
    const decision = decide(this.#settings, toolCall.name, callArguments);
    if (decision.verdict === "allow") return undefined;
    if (decision.verdict === "ask" && this.#askPerson) {
      const answer = await this.#askPerson(toolCall.name, callArguments, decision);
      const { allow, reason }: { allow: boolean; reason?: string } =
        typeof answer === "boolean" ? { allow: answer } : answer;
      if (allow) return undefined;
      const because = reason === undefined ? "the person said no" : `the person said no: ${reason}`;
      return this.#refuse(toolCall.name, callArguments, { ...decision, suggestion: "" }, because);
    }
    const nobody = decision.verdict === "ask" ? ", and there is nobody here who could be asked" : "";
    return this.#refuse(toolCall.name, callArguments, decision, `${decision.reason}${nobody}`);
  }

  #refuse(tool: string, args: Record<string, unknown>, { suggestion }: Decision, reason: string): BeforeToolCallResult {
    this.refusals.push({ tool, args, reason, suggestion });
    const remedy = suggestion === "" ? "" : ` The person can allow it with --allow '${suggestion}'.`;
    const text = `Refused: ${tool} was not run, because ${reason}.${remedy} Do not try the same in another way; go on without it or say what you need.`;
    return { block: true, reason: text };
  }
}
