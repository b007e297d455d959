// Rules as a person writes them: a tool, or a tool and a pattern for what it is called with. `edit`, `bash(npm test)`,
// `bash(git log:*)`, `write(src/**)`, `mcp__files__*`. Parsing alone; the engine decides what they come to.
import { UsageError } from "../exit-codes.ts";
import { isCommandPattern } from "./shell-command.ts";

/** What a rule says about a call that it matches. */
export type Verdict = "allow" | "ask" | "deny";

/** Tools that are called with a path. */
export const PATH_TOOLS: ReadonlySet<string> = new Set(["read", "ls", "grep", "find", "write", "edit"]);

/** One rule. */
export interface Rule {
  verdict: Verdict;
  /** A tool, or several: `*` stands for any part of a name, as in `mcp__files__*`. */
  tool: string;
  /** For bash a command, whole or a beginning that ends in `:*`; for tools with a path a glob. Absent: every call. */
  pattern?: string;
  /** As it was written, for messages. */
  text: string;
  /** The file and line where it was written; absent for a flag. */
  place?: string;
}

/** Reads one rule. Throws a `UsageError` if it has not the form. */
export function parseRule(verdict: Verdict, text: string): Rule {
  const match = /^([a-z*][a-z0-9_*-]*)(?:\((.*)\))?$/is.exec(text.trim());
  if (!match || match[2]?.trim() === "")
    throw new UsageError(
      `The rule "${text}" is not understood. Write a tool or a tool and a pattern: edit, bash(npm test).`,
    );
  const [, tool = "", pattern] = match;
  if (pattern !== undefined && tool !== "bash" && !PATH_TOOLS.has(tool))
    throw new UsageError(
      `The rule "${text}" has a pattern, which there is for bash, ${[...PATH_TOOLS].join(", ")} alone. Write ${tool}.`,
    );
  if (tool === "bash" && pattern !== undefined && !isCommandPattern(pattern))
    throw new UsageError(`The command in "${text}" is not one plain command, so no rule can be made of it.`);
  return { verdict, tool, text, ...(pattern === undefined ? {} : { pattern: pattern.trim() }) };
}

/** Whether a rule speaks of a tool. */
export function isAbout(rule: Pick<Rule, "tool">, tool: string): boolean {
  if (!rule.tool.includes("*")) return rule.tool === tool;
  // Without a regular expression, which many stars would keep busy for ever.
  const parts = rule.tool.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!tool.startsWith(first) || !tool.endsWith(last) || tool.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = tool.indexOf(part, at);
    if (found === -1 || found + part.length > tool.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
