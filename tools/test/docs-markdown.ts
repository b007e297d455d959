// Reads the repository's Markdown as the tests of the documentation need it: documents, their fenced blocks, headings and links.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository, without a slash at the end. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** A Markdown file. */
export interface Document {
  /** Path from the root, with forward slashes. */
  path: string;
  lines: string[];
  blocks: CodeBlock[];
  /** The lines with those inside fenced and indented code emptied. */
  prose: string[];
}

/** A fenced block. */
export interface CodeBlock {
  /** What stands behind the opening fence, such as `ts` or `ts file=parrot.ts`. */
  info: string;
  /** Number of the first line of code, counted from 1. */
  line: number;
  code: string;
  /** The HTML comment directly before the block, without its marks. */
  comment: string | undefined;
}

/** All documents of the repository: those of git and those that will be. Workspaces for tests are none. */
export function documents(): Document[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const paths = [...new Set(listed.split("\n"))].filter((path) => path !== "" && !path.includes("/workspaces/"));
  return paths.flatMap((path) => {
    const text = readIfThere(join(ROOT, path));
    return text === undefined ? [] : [parseDocument(path, text)];
  });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Deleted in the working tree, not yet in the index.
  }
}

function parseDocument(path: string, text: string): Document {
  const lines = text.split("\n");
  const prose: string[] = [];
  const blocks: CodeBlock[] = [];
  let open: { block: CodeBlock; fence: string; lines: string[] } | undefined;
  for (const [index, line] of lines.entries()) {
    const fence = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line);
    if (open) {
      prose.push("");
      if (fence?.[1]?.startsWith(open.fence) && fence[2] === "") {
        open.block.code = open.lines.join("\n");
        open = undefined;
      } else open.lines.push(line);
    } else if (fence) {
      prose.push("");
      const block = { info: fence[2] ?? "", line: index + 2, code: "", comment: commentBefore(lines, index) };
      blocks.push(block);
      open = { block, fence: fence[1] as string, lines: [] };
    } else prose.push(/^ {4}/.test(line) ? "" : line);
  }
  if (open) throw new Error(`${path}:${open.block.line}: the block is never closed.`);
  return { path, lines, blocks, prose };
}

function commentBefore(lines: string[], index: number): string | undefined {
  let above = index - 1;
  while (above >= 0 && lines[above]?.trim() === "") above--;
  return /^<!--\s*(.*?)\s*-->$/.exec(lines[above] ?? "")?.[1];
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf({ prose }: Document): Set<string> {
  const anchors = new Set<string>();
  for (const line of prose) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Where a document points to, with the line of each link. */
export function linksOf({ prose }: Document): { target: string; line: number }[] {
  const pattern = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)|(?:src|href)="([^"]+)"/g;
  return prose.flatMap((line, index) =>
    [...line.replace(/`[^`]*`/g, (code) => "`".padEnd(code.length, " ")).matchAll(pattern)].map((match) => ({
      target: (match[1] ?? match[2] ?? match[3]) as string,
      line: index + 1,
    })),
  );
}

/** Every piece of code of a document: lines of blocks, and what stands between backquotes. */
export function codeOf({ lines, prose }: Document): { code: string; line: number }[] {
  return lines.flatMap((text, index) => {
    if (prose[index] === "" && text !== "") return [{ code: text.trim(), line: index + 1 }];
    return [...text.matchAll(/`([^`]+)`/g)].map((match) => ({ code: match[1] as string, line: index + 1 }));
  });
}
