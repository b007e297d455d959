// Rules as a person writes them: a tool, or a tool and a pattern for what it is called with. `edit`, `bash(npm test)`,
// `bash(git log:*)`, `write(src/**)`. Parsing alone; the engine decides what they come to.
import { UsageError } from "../exit-codes.ts";
import { isCommandPattern } from "./shell-command.ts";

/** What a rule says about a call that it matches. */
export type Verdict = "allow" | "ask" | "deny";

/** One rule. */
export interface Rule {
  verdict: Verdict;
  tool: string;
  /** For bash a command, whole or a beginning that ends in `:*`; for tools with a path a glob. Absent: every call. */
  pattern?: string;
  /** As it was written, for messages. */
  text: string;
}

/** Reads one rule. Throws a `UsageError` if it has not the form. */
export function parseRule(verdict: Verdict, text: string): Rule {
  const match = /^([a-z][a-z0-9_-]*)(?:\((.*)\))?$/is.exec(text.trim());
  if (!match || match[2]?.trim() === "")
    throw new UsageError(
      `The rule "${text}" is not understood. Write a tool or a tool and a pattern: edit, bash(npm test).`,
    );
  const [, tool, pattern] = match;
  if (tool === "bash" && pattern !== undefined && !isCommandPattern(pattern))
    throw new UsageError(`The command in "${text}" is not one plain command, so no rule can be made of it.`);
  return { verdict, tool: tool!, text, ...(pattern === undefined ? {} : { pattern: pattern.trim() }) };
}
