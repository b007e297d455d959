// The part of the demo script that shows one tool at work when it is asked to.
import { refusalForPeople } from "../permissions/refusal-text.ts";
import type { DemoReply } from "./conversation.ts";
import { type DemoEpisode, textReply } from "./script.ts";

const REQUESTS: { pattern: RegExp; tool: string; argumentsOf: (operand: string) => Record<string, unknown> }[] = [
  { pattern: /^\s*(?:please\s+)?run[:\s]+(.+)/is, tool: "bash", argumentsOf: (command) => ({ command }) },
  { pattern: /^\s*(?:please\s+)?(?:read|show|cat)[:\s]+(\S+)/i, tool: "read", argumentsOf: (path) => ({ path }) },
  {
    pattern: /^\s*(?:please\s+)?(?:list|ls)(?:[:\s]+(\S+))?\s*$/i,
    tool: "ls",
    argumentsOf: (path) => ({ path: path || "." }),
  },
  {
    pattern: /^\s*(?:please\s+)?(?:search|grep)(?:\s+for)?[:\s]+(.+)/i,
    tool: "grep",
    argumentsOf: (pattern) => ({ pattern }),
  },
  {
    // "write a commit message" names no file; what has a dot or a slash does.
    pattern: /^\s*(?:please\s+)?write[:\s]+(\S*[./]\S*)/i,
    tool: "write",
    argumentsOf: (path) => ({ path, content: "Written by the demo script of Rondo.\n" }),
  },
];

/** Calls the tool that was asked for, then reports what came back. Undefined if no tool was asked for. */
export function showTool({ prompt, since, tools, call }: DemoEpisode): DemoReply | undefined {
  for (const { pattern, tool, argumentsOf } of REQUESTS) {
    const match = pattern.exec(prompt);
    if (!match) continue;
    const result = since.findLast((message) => message.role === "toolResult");
    if (result)
      return textReply(
        result.isError ? `That did not work: ${refusalForPeople(result.text) ?? result.text}` : result.text,
      );
    if (!tools.has(tool)) return textReply(`The tool ${tool} is not available in this session.`);
    const operand = unquote((match[1] ?? "").trim());
    return {
      content: [
        { type: "thinking", thinking: `The request names a thing that the tool ${tool} does.` },
        call(tool, argumentsOf(operand)),
      ],
    };
  }
  return undefined;
}

function unquote(text: string): string {
  return text.replace(/^([`"'])(.*)\1$/s, "$2");
}
