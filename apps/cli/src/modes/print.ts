// Print mode: the answer on standard output, everything else on standard error. On a terminal the answer appears word by word;
// into a pipe or file goes only what the model said at the end, and what it said between tool calls goes to standard error.
import type { AgentEvent } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import type { RunEvent } from "@rondo/durable";
import { refusalForPeople } from "../permissions/refusal-text.ts";
import { countOf } from "../presentation/count-of.ts";
import { describeArguments, resultText } from "../presentation/describe-call.ts";
import type { Output } from "../terminal/output.ts";
import { LOOKING_TOOLS } from "../tools/looking-tool.ts";

const RESULT_LINES_SHOWN = 4;
const FAILED_RESULT_LINES_SHOWN = 10;

type ToolEnd = Extract<AgentEvent, { type: "tool_execution_end" }>;

/** Makes a listener that prints a run as it goes, one of this process or a durable one. */
export function createPrinter(answer: Output, progress: Output): (event: AgentEvent | RunEvent) => Promise<void> {
  let printedThinking = false;
  /** Calls under way, with what they are about, and the one whose line was printed last: calls may run side by side. */
  const calls = new Map<string, string>();
  let lastCallId: string | undefined;
  return async (event) => {
    switch (event.type) {
      case "message_update": {
        const update = event.assistantMessageEvent;
        if (event.retry) {
          const { attempt, attemptsMax, errorMessage } = event.retry;
          await answer.endLine();
          await note(progress, `Attempt ${attempt} of ${attemptsMax} failed, trying again: ${errorMessage}`);
        } else if (update?.type === "thinking_delta" && progress.isTerminal) {
          printedThinking = true;
          await progress.write(progress.style("dim", progress.escape(update.delta)));
        } else if (update?.type === "text_delta" && answer.isTerminal) {
          if (printedThinking) await progress.endLine();
          printedThinking = false;
          await answer.writeForeign(update.delta);
        } else if (update?.type === "text_end") await answer.endLine();
        return;
      }
      case "message_end":
        if (event.message.role !== "assistant") return;
        await progress.endLine();
        if (!answer.isTerminal) await printWhole(event.message, answer, progress);
        return;
      case "tool_execution_start":
        await progress.endLine();
        calls.set(event.toolCallId, describeArguments(event.args));
        lastCallId = event.toolCallId;
        return line(progress, "cyan", `→ ${event.toolName}`, calls.get(event.toolCallId));
      case "tool_execution_end":
        if (event.toolCallId !== lastCallId)
          await line(progress, "cyan", `← ${event.toolName}`, calls.get(event.toolCallId));
        lastCallId = event.toolCallId;
        calls.delete(event.toolCallId);
        return printResult(progress, event);
      default:
        return;
    }
  };
}

/** Prints a message where it was not streamed: the last one is the answer, if it is whole; others are progress. */
async function printWhole(message: AssistantMessage, answer: Output, progress: Output): Promise<void> {
  const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (text === "") return;
  if (message.stopReason === "toolUse") return note(progress, text);
  // Whoever reads the pipe does not see the exit code, and must not take a part for the answer.
  if (message.stopReason === "error" || message.stopReason === "aborted")
    return note(progress, `What had come of the answer: ${text}`);
  await answer.writeForeign(text);
  await answer.endLine();
}

/** One line for what only looked, the diff for what changed a file, the first lines of anything else. */
async function printResult(progress: Output, { toolName, result, isError }: ToolEnd): Promise<void> {
  const diff = (result.details as { diff?: unknown } | undefined)?.diff;
  if (typeof diff === "string" && diff !== "" && !isError) return printDiff(progress, diff);
  const text = resultText(result).trimEnd();
  const lines = (refusalForPeople(text) ?? text).split("\n");
  if (LOOKING_TOOLS.has(toolName) && !isError) return line(progress, "dim", `  ${countOf(lines.length, "line")}`);
  const most = isError ? FAILED_RESULT_LINES_SHOWN : RESULT_LINES_SHOWN;
  const style = isError ? "red" : "dim";
  for (const shown of lines.slice(0, most)) await line(progress, style, `  ${shown}`);
  if (lines.length <= most) return;
  await line(progress, "dim", `  … ${countOf(lines.length - most, "line")} more`);
  // The end of a failed command is where its exit code stands.
  if (isError) await line(progress, style, `  ${lines.at(-1)}`);
}

async function printDiff(progress: Output, diff: string): Promise<void> {
  for (const text of diff.split("\n"))
    await line(progress, text.startsWith("+") ? "green" : text.startsWith("-") ? "red" : "dim", `  ${text}`);
}

function note(progress: Output, text: string): Promise<void> {
  return line(progress, "dim", text);
}

async function line(progress: Output, style: "cyan" | "dim" | "red" | "green", text: string, rest = ""): Promise<void> {
  const styled = progress.style(style, progress.escape(text));
  await progress.write(`${styled}${rest === "" ? "" : ` ${progress.escape(rest)}`}\n`);
}
