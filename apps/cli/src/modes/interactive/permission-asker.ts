// Brings the questions of the permission gate to the person, one after the other.
import type { AskPerson, PermissionAnswer } from "../../permissions/gate.ts";
import type { PermissionChoice, PermissionQuery } from "./dialogs/permission-question.ts";

/** A question as the gate puts it. */
export interface PermissionRequest extends Omit<PermissionQuery, "preview" | "rows" | "onShowAll"> {
  args: Record<string, unknown>;
}

/** The questions of one session. */
export class PermissionAsker {
  #show: ((request: PermissionRequest) => Promise<PermissionChoice>) | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Connects it with the screen. */
  connect(show: (request: PermissionRequest) => Promise<PermissionChoice>): void {
    this.#show = show;
  }

  /** The gate's question. Without a screen the answer is no. */
  readonly ask: AskPerson = (tool, args, { reason, suggestions }) => {
    const answer = this.#last.then(() => this.#askNow({ tool, args, reason, rules: suggestions }));
    this.#last = answer.catch(() => undefined);
    return answer;
  };

  async #askNow(request: PermissionRequest): Promise<PermissionAnswer> {
    const choice = await this.#show?.(request);
    if (choice?.kind === "session" || choice?.kind === "project") return { allow: true, remember: choice.kind };
    if (choice?.kind === "no") return { allow: false, ...(choice.reason !== undefined && { reason: choice.reason }) };
    return { allow: choice !== undefined && choice.kind !== "withdrawn" };
  }
}
