// /export and /copy: what was said, in a file or on the clipboard.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { AgentMessage } from "@rondo/agent";
import type { AssistantMessage } from "@rondo/ai";
import { toHtml } from "../../../session/export/html.ts";
import { toMarkdown } from "../../../session/export/markdown.ts";
import { spokenConversation } from "../../../session/export/spoken.ts";
import { absolutePath } from "../../../tools/file-path.ts";
import type { SessionPort } from "../session-port.ts";
import type { Command } from "./table.ts";

/** Programs that take the clipboard from standard input, on the systems that have one. */
const CLIPBOARD_PROGRAMS = [["pbcopy"], ["wl-copy"], ["xclip", "-selection", "clipboard"], ["clip.exe"]] as const;
/** Terminals take no more than about this through an escape sequence. */
const SEQUENCE_BYTES_MAX = 74_000;

/** What the system has against a file. */
const EXPORT_PROBLEMS: Record<string, string> = {
  EEXIST: "there is such a file already, and an export replaces nothing",
  EISDIR: "it is a folder",
  ENOENT: "its folder is not there",
  ENOTDIR: "its folder is a file",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "it is on a disk that can only be read",
  ENOSPC: "the disk is full",
};

export const exportCommand: Command = {
  name: "export",
  description: "Write the conversation into a file, as Markdown, or as HTML or JSON if its name ends so",
  argumentHint: "[file]",
  async run({ session, conversation, home }, argument) {
    const path = argument || `rondo-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-")}.md`;
    const file = absolutePath({ root: session.root, home }, path);
    await writeFile(file, exportedText(session, path), { mode: 0o600, flag: "wx" }).catch(
      (error: NodeJS.ErrnoException) => {
        const problem = EXPORT_PROBLEMS[error.code ?? ""] ?? `it cannot be written (${error.code})`;
        throw new Error(`Nothing was written to ${path}: ${problem}. Name another file: /export <file>.`);
      },
    );
    conversation.notice("note", `Written to ${path}.`);
  },
};

function exportedText({ messages, name, root }: SessionPort, path: string): string {
  if (path.endsWith(".json")) return `${JSON.stringify(messages, null, 2)}\n`;
  const spoken = spokenConversation(messages, { title: name, workspace: root });
  return path.endsWith(".html") ? toHtml(spoken) : toMarkdown(spoken);
}

export const copyCommand: Command = {
  name: "copy",
  description: "Put the last answer on the clipboard",
  async run({ session, conversation, screen }) {
    const text = lastAnswer(session.messages);
    if (text === undefined) return conversation.notice("note", "There is no answer yet.");
    for (const [program, ...args] of CLIPBOARD_PROGRAMS)
      if (await feed(program, args, text)) return conversation.notice("note", "The last answer is on the clipboard.");
    const encoded = Buffer.from(text).toString("base64");
    if (encoded.length > SEQUENCE_BYTES_MAX)
      return conversation.notice(
        "warning",
        "There is no clipboard program here, and the answer is too long without one. /export writes it.",
      );
    screen.terminal.write(`\x1b]52;c;${encoded}\x07`);
    conversation.notice("note", "The last answer was handed to the terminal for its clipboard.");
  },
};

/** The text of the last answer that has any. */
export function lastAnswer(messages: AgentMessage[]): string | undefined {
  const texts = messages.filter((message) => message.role === "assistant").map(answerText);
  return texts.findLast((text) => text !== "");
}

function answerText({ content }: AssistantMessage): string {
  return content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n\n")
    .trim();
}

/** Gives a program the text; whether it took it. */
function feed(program: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
