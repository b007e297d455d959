// Stands before every tool call of the agent: lets it through, asks the person, or refuses with a reason that the model and the
// person can read. Remembers what was refused, for the end of the run, and what the person allowed for good.
import type { AnyAgentTool, BeforeToolCallContext, BeforeToolCallResult } from "@rondo/agent";
import { type Decision, decide, type PermissionSettings, placeOf } from "./engine.ts";
import { refusalText } from "./refusal-text.ts";
import { PATH_TOOLS, parseRule } from "./rules.ts";

/** A call that was not run. */
export interface Refusal {
  tool: string;
  args: Record<string, unknown>;
  reason: string;
  /** The rules that would have allowed it; empty if a rule or a person forbids it, or if there can be none. */
  suggestions: string[];
}

/** What a person may answer. */
export interface PermissionAnswer {
  allow: boolean;
  /** Why not; goes to the model. */
  reason?: string;
  /** Allows for good, by the rules that the decision suggests: until the session ends, or in this project. Default: this once. */
  remember?: "session" | "project";
}

/** Asks the person about a call. Resolves with whether it may run. */
export type AskPerson = (
  tool: string,
  args: Record<string, unknown>,
  decision: Decision,
) => Promise<boolean | PermissionAnswer>;

/** Who is asked, and where answers are kept. */
export interface PermissionGateOptions {
  /** Absent where nobody can be asked: what would be asked about is refused then. */
  askPerson?: AskPerson;
  /** Keeps allowing rules for the project. Absent: they hold for the session. It tells of its own failures. */
  keepForProject?: (rules: string[]) => Promise<void>;
}

/** Servers may give one id to several calls. */
function placeKey(toolCallId: string, args: Record<string, unknown>): string {
  return `${toolCallId}\0${String(args["path"])}`;
}

/** The gate of one session. */
export class PermissionGate {
  readonly #settings: PermissionSettings;
  readonly #options: PermissionGateOptions;
  /** Where the calls that were looked at and have not run yet lead. */
  readonly #places = new Map<string, string>();
  /** Everything that was refused so far. */
  readonly refusals: Refusal[] = [];

  /** @param settings rules that a person gives for good are added to its list */
  constructor(settings: PermissionSettings, options: PermissionGateOptions = {}) {
    this.#settings = settings;
    this.#options = options;
  }

  /**
   * A tool that does nothing if its path leads elsewhere than when the call was let through: calls of one message are looked at before
   * the first of them runs, and that may make a link.
   */
  guard(tool: AnyAgentTool): AnyAgentTool {
    const execute: AnyAgentTool["execute"] = async (toolCallId, args, ...rest) => {
      const key = placeKey(toolCallId, args as Record<string, unknown>);
      const allowed = this.#places.get(key);
      this.#places.delete(key);
      if (allowed !== undefined && allowed !== placeOf(this.#settings, tool.name, args as Record<string, unknown>))
        throw new Error("Nothing was done: the path leads elsewhere than when the call was allowed. Call it again.");
      return tool.execute(toolCallId, args, ...rest);
    };
    return PATH_TOOLS.has(tool.name) ? { ...tool, execute } : tool;
  }

  /** The agent's `beforeToolCall`. */
  async check({ toolCall, args }: BeforeToolCallContext): Promise<BeforeToolCallResult | undefined> {
    const callArguments = args as Record<string, unknown>;
    const place = placeOf(this.#settings, toolCall.name, callArguments);
    const decision = decide(this.#settings, toolCall.name, callArguments, place);
    const refusal = await this.#carryOut(decision, toolCall.name, callArguments);
    if (!refusal && place !== undefined) this.#places.set(placeKey(toolCall.id, callArguments), place);
    return refusal;
  }

  /** Asks where that is the decision. Resolves with the refusal, if it comes to one. */
  async #carryOut(
    decision: Decision,
    tool: string,
    callArguments: Record<string, unknown>,
  ): Promise<BeforeToolCallResult | undefined> {
    if (decision.verdict === "allow") return undefined;
    const { askPerson } = this.#options;
    if (decision.verdict === "ask" && askPerson) {
      const answer = await askPerson(tool, callArguments, decision);
      const { allow, reason, remember }: PermissionAnswer = typeof answer === "boolean" ? { allow: answer } : answer;
      if (allow) {
        if (remember !== undefined) await this.#remember(decision.suggestions, remember);
        return undefined;
      }
      const because = reason === undefined ? "the person said no" : `the person said no: ${reason}`;
      return this.#refuse(tool, callArguments, { ...decision, reason: because, suggestions: [] });
    }
    const nobody = decision.verdict === "ask" ? ", and nobody here could be asked" : "";
    return this.#refuse(tool, callArguments, decision, nobody);
  }

  async #remember(rules: string[], scope: "session" | "project"): Promise<void> {
    this.#settings.rules.push(...rules.map((rule) => parseRule("allow", rule)));
    if (scope === "project" && rules.length > 0) await this.#options.keepForProject?.(rules);
  }

  #refuse(
    tool: string,
    args: Record<string, unknown>,
    { reason, suggestions }: Decision,
    nobody = "",
  ): BeforeToolCallResult {
    this.refusals.push({ tool, args, reason, suggestions });
    return { block: true, reason: refusalText(tool, `${reason}${nobody}`, suggestions) };
  }
}
