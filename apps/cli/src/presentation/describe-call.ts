// A tool call and its result in one line each, for people who watch.
import type { AgentToolResult } from "@rondo/agent";

const ARGUMENT_CHARACTERS_MAX = 100;

/** What a call is about: the command, the path, or its arguments as JSON. One line, cut where it is long. */
export function describeArguments(args: Record<string, unknown>): string {
  if (Object.keys(args).length === 0) return "";
  const main = args["command"] ?? args["path"] ?? args["pattern"];
  const extra = args["pattern"] !== undefined && args["path"] !== undefined ? ` in ${args["path"]}` : "";
  const text =
    typeof (args["pattern"] ?? main) === "string" ? `${args["pattern"] ?? main}${extra}` : JSON.stringify(args);
  const line = text.replace(/\s*\n\s*/g, " ⏎ ");
  return line.length > ARGUMENT_CHARACTERS_MAX ? `${line.slice(0, ARGUMENT_CHARACTERS_MAX)}…` : line;
}

/** The text of a result. */
export function resultText(result: AgentToolResult): string {
  return result.content.map((part) => (part.type === "text" ? part.text : `(${part.mimeType})`)).join("\n");
}
