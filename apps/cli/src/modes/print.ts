// Print mode: the answer on standard output, everything else on standard error. On a terminal the answer appears word by word;
// into a pipe or file goes only what the model said at the end, and what it said between tool calls goes to standard error.
import type { AgentEvent } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import type { Output } from "../terminal/output.ts";
import { describeArguments, resultText } from "./describe-call.ts";

const RESULT_LINES_SHOWN = 3;
const FAILED_RESULT_LINES_SHOWN = 10;

/** Makes a listener that prints a run as it goes. */
export function createPrinter(answer: Output, progress: Output): (event: AgentEvent) => Promise<void> {
  let printedThinking = false;
  return async (event) => {
    switch (event.type) {
      case "message_update": {
        const update = event.assistantMessageEvent;
        if (event.retry) {
          const { attempt, attemptsMax, errorMessage } = event.retry;
          await answer.endLine();
          await note(progress, `Attempt ${attempt} of ${attemptsMax} failed, trying again: ${errorMessage}`);
        } else if (update.type === "thinking_delta" && progress.isTerminal) {
          printedThinking = true;
          await progress.write(progress.style("dim", progress.escape(update.delta)));
        } else if (update.type === "text_delta" && answer.isTerminal) {
          if (printedThinking) await progress.endLine();
          printedThinking = false;
          await answer.writeForeign(update.delta);
        } else if (update.type === "text_end") await answer.endLine();
        return;
      }
      case "message_end":
        if (event.message.role !== "assistant") return;
        await progress.endLine();
        if (!answer.isTerminal) await printWhole(event.message, answer, progress);
        return;
      case "tool_execution_start":
        await progress.endLine();
        return line(progress, "cyan", `→ ${event.toolName}`, describeArguments(event.args));
      case "tool_execution_end":
        return printResult(progress, event);
      default:
        return;
    }
  };
}

/** Prints a finished message where it was not streamed: the last one is the answer, others are progress. */
async function printWhole(message: AssistantMessage, answer: Output, progress: Output): Promise<void> {
  const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (text === "") return;
  if (message.stopReason === "toolUse") return note(progress, text);
  await answer.writeForeign(text);
  await answer.endLine();
}

async function printResult(
  progress: Output,
  { result, isError }: Extract<AgentEvent, { type: "tool_execution_end" }>,
): Promise<void> {
  const diff = (result.details as { diff?: unknown } | undefined)?.diff;
  if (typeof diff === "string" && diff !== "" && !isError) return printDiff(progress, diff);
  const lines = resultText(result).trimEnd().split("\n");
  const shown = lines.slice(isError ? -FAILED_RESULT_LINES_SHOWN : -RESULT_LINES_SHOWN);
  if (lines.length > shown.length) await line(progress, "dim", `  … ${lines.length - shown.length} lines before`);
  for (const text of shown) await line(progress, isError ? "red" : "dim", `  ${text}`);
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
