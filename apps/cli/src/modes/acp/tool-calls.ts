// Tool calls and their results as editors show them: what a call is about and where, changes of files as diffs, the rest as text.
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { AgentToolResult } from "@rondo/agent";
import { describeArguments } from "../../presentation/describe-call.ts";
import type { FileChange } from "../../tools/file-diff.ts";
import { absolutePath } from "../../tools/file-path.ts";
import { readWholeFile } from "../../tools/whole-file.ts";

/** Where paths begin. */
export interface Place {
  root: string;
  home: string;
}

/** A piece of a file before and after a change. */
interface ChangedPiece {
  /** From 1, in the file as it is after the change. */
  line: number;
  /** Null for a file that was not there. */
  oldText: string | null;
  newText: string;
}

const KINDS: Record<string, ToolKind> = {
  read: "read",
  ls: "read",
  find: "search",
  grep: "search",
  edit: "edit",
  write: "edit",
  bash: "execute",
  jobs: "execute",
};

/** How a call is shown: what it is about, of what kind it is, and the file it touches. */
export function describeCall(tool: string, args: Record<string, unknown>, place: Place) {
  const { path, offset } = args;
  const line = typeof offset === "number" ? { line: offset } : {};
  return {
    title: `${tool} ${describeArguments(args)}`.trimEnd(),
    kind: KINDS[tool] ?? ("other" as const),
    rawInput: args,
    ...(typeof path === "string" && { locations: [{ path: absolutePath(place, path), ...line }] }),
  };
}

/** What a call would do to a file, for the person who is asked about it; nothing for calls that change no file by themselves. */
export async function proposedChange(
  tool: string,
  args: Record<string, unknown>,
  place: Place,
): Promise<ToolCallContent[]> {
  if (typeof args["path"] !== "string") return [];
  const path = absolutePath(place, args["path"]);
  if (tool === "write") {
    const oldText = await readWholeFile(path).then(String, () => null);
    return [{ type: "diff", path, oldText, newText: String(args["content"]) }];
  }
  if (tool !== "edit" || !Array.isArray(args["edits"])) return [];
  const edits = args["edits"] as { oldText?: unknown; newText?: unknown }[];
  return edits.map(({ oldText, newText }) => ({
    type: "diff",
    path,
    oldText: String(oldText),
    newText: String(newText),
  }));
}

/** What a tool gave back: a diff for each place of a file that it changed, else its text and images. */
export function describeResult(
  { content, details }: AgentToolResult,
  place: Place,
): { content: ToolCallContent[]; locations?: ToolCallLocation[] } {
  if (isFileChange(details)) {
    const path = absolutePath(place, details.path);
    const pieces = changedPieces(details.diff);
    if (pieces.length > 0)
      return {
        content: pieces.map(({ oldText, newText }) => ({ type: "diff", path, oldText, newText })),
        locations: pieces.map(({ line }) => ({ path, line })),
      };
  }
  return {
    content: content.map((part) => ({
      type: "content",
      content:
        part.type === "text"
          ? { type: "text", text: part.text }
          : { type: "image", data: part.data, mimeType: part.mimeType },
    })),
  };
}

function isFileChange(details: unknown): details is FileChange {
  const { path, diff } = (details ?? {}) as Partial<FileChange>;
  return typeof path === "string" && typeof diff === "string";
}

/** The pieces of a unified diff without a header. */
export function changedPieces(diff: string): ChangedPiece[] {
  const hunks = diff.split(/^(?=@@ -)/m).filter((hunk) => hunk.startsWith("@@ -"));
  return hunks.map((hunk) => {
    const [head = "", ...lines] = hunk.replace(/\n$/, "").split("\n");
    const [, oldLines, line] = /^@@ -\d+(?:,(\d+))? \+(\d+)/.exec(head) ?? [];
    return {
      line: Math.max(1, Number(line)),
      oldText: oldLines === "0" ? null : sideOf(lines, "-"),
      newText: sideOf(lines, "+"),
    };
  });
}

/** The lines of one side of a hunk, each with its end unless the diff says that the file has none there. */
function sideOf(lines: string[], mark: "-" | "+"): string {
  const texts: string[] = [];
  for (const [index, line] of lines.entries())
    if (line.startsWith(mark) || line.startsWith(" "))
      texts.push(`${line.slice(1)}${lines[index + 1]?.startsWith("\\") ? "" : "\n"}`);
  return texts.join("");
}
