// Permission questions that wait for an answer through RPC. Each is answered once, or withdrawn when its run is aborted.
import type { AskPerson } from "../../permissions/gate.ts";
import { formatLine } from "../../presentation/json-lines.ts";
import type { Output } from "../../terminal/output.ts";
import type { RpcLine } from "./protocol.ts";

/** The questions of one session. */
export class PermissionQuestions {
  readonly #output: Output;
  readonly #open = new Map<string, (allow: boolean) => void>();
  #asked = 0;
  #isClosed = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Asks and waits. */
  readonly ask: AskPerson = (tool, args, { reason, suggestion }) => {
    const questionId = `question_${++this.#asked}`;
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#open.set(questionId, resolve);
      const line: RpcLine = { type: "permission_question", questionId, tool, args, reason, suggestion };
      void this.#output.write(formatLine(line));
    });
  };

  /** Takes an answer. `false` if the question is not open. */
  answer(questionId: string, allow: boolean): boolean {
    const resolve = this.#open.get(questionId);
    this.#open.delete(questionId);
    resolve?.(allow);
    return resolve !== undefined;
  }

  /** Nobody is left who could answer: no to all open questions, and to all that are still to come. */
  close(): void {
    this.#isClosed = true;
    this.withdraw();
  }

  /** Answers all open questions with no: nobody waits for them any more. */
  withdraw(): void {
    for (const questionId of [...this.#open.keys()]) this.answer(questionId, false);
  }
}
