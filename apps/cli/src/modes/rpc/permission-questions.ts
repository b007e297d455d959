// Permission questions that wait for an answer through RPC. Each is answered once, or withdrawn when its run is aborted.
import type { AskPerson, PermissionAnswer } from "../../permissions/gate.ts";
import { formatLine } from "../../presentation/json-lines.ts";
import type { Output } from "../../terminal/output.ts";
import type { RpcLine } from "./protocol.ts";

interface OpenQuestion {
  resolve: (answer: PermissionAnswer) => void;
  canBeRemembered: boolean;
}

/** The questions of one session. */
export class PermissionQuestions {
  readonly #output: Output;
  readonly #open = new Map<string, OpenQuestion>();
  #asked = 0;
  #isClosed = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Asks and waits. */
  readonly ask: AskPerson = (tool, args, { reason, suggestions }) => {
    const questionId = `question_${++this.#asked}`;
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#open.set(questionId, { resolve, canBeRemembered: suggestions.length > 0 });
      const line: RpcLine = { type: "permission_question", questionId, tool, args, reason, suggestions };
      void this.#output.write(formatLine(line));
    });
  };

  /** Takes an answer. `false` if the question is not open. Throws, and leaves it open, if no rule can be made of the call. */
  answer(questionId: string, answer: PermissionAnswer): boolean {
    const question = this.#open.get(questionId);
    if (!question) return false;
    if (answer.allow && answer.remember !== undefined && !question.canBeRemembered)
      throw new Error("No rule matches this call alone, so it can be allowed once but not remembered.");
    this.#open.delete(questionId);
    question.resolve(answer);
    return true;
  }

  /** Nobody is left who could answer: no to all open questions, and to all that are still to come. */
  close(): void {
    this.#isClosed = true;
    this.withdraw();
  }

  /** Answers all open questions with no: nobody waits for them any more. */
  withdraw(): void {
    for (const questionId of [...this.#open.keys()]) this.answer(questionId, { allow: false });
  }
}
