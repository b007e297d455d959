// Brings the questions of the permission gate to the person, one after the other, and keeps what was answered for good.
import type { AskPerson } from "../../permissions/gate.ts";
import { parseRule, type Rule } from "../../permissions/rules.ts";
import type { PermissionChoice, PermissionQuery } from "./dialogs/permission-question.ts";

/** A question as the gate puts it. */
export interface PermissionRequest extends Omit<PermissionQuery, "preview"> {
  args: Record<string, unknown>;
}

/** The questions of one session. */
export class PermissionAsker {
  #show: ((request: PermissionRequest) => Promise<PermissionChoice>) | undefined;
  #keep: ((rule: Rule, scope: "session" | "project") => Promise<void>) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Connects it with the screen and with where rules are kept. */
  connect(
    show: (request: PermissionRequest) => Promise<PermissionChoice>,
    keep: (rule: Rule, scope: "session" | "project") => Promise<void>,
  ): void {
    this.#show = show;
    this.#keep = keep;
  }

  /** The gate's question. Without a screen the answer is no. */
  readonly ask: AskPerson = (tool, args, { reason, suggestion }) => {
    const answer = this.#last.then(() => this.#askNow({ tool, args, reason, rule: usable(suggestion) }));
    this.#last = answer.catch(() => undefined);
    return answer;
  };

  async #askNow(request: PermissionRequest): Promise<{ allow: boolean; reason?: string }> {
    const choice = await this.#show?.(request);
    if (choice?.kind === "session" || choice?.kind === "project")
      await this.#keep?.(parseRule("allow", request.rule), choice.kind);
    if (choice?.kind === "no") return { allow: false, ...(choice.reason !== undefined && { reason: choice.reason }) };
    return { allow: choice !== undefined && choice.kind !== "withdrawn" };
  }
}

/** The rule, if one can be made of it. */
function usable(suggestion: string): string {
  try {
    parseRule("allow", suggestion);
    return suggestion;
  } catch {
    return "";
  }
}
