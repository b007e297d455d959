// rondo sessions: what was said in this folder. rondo export: one session as a page or as text, on standard output.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Ending, UsageError } from "../exit-codes.ts";
import { entryLines, sessionLines } from "../presentation/session-lines.ts";
import { toHtml } from "../session/export/html.ts";
import { toMarkdown } from "../session/export/markdown.ts";
import { spokenSession } from "../session/export/spoken.ts";
import { readSessionFile } from "../session/session-file.ts";
import type { SessionShelf } from "../session/session-shelf.ts";
import type { Output } from "../terminal/output.ts";

/** On a terminal that is narrower than that, a line is wrapped. */
const TITLE_COLUMNS_MIN = 20;

/**
 * Lists the sessions of this folder, the one that was changed last first; of a single one that a text fits also what was said in it.
 *
 * @param width columns of the terminal, to which titles are cut; undefined if there is none
 */
export async function runSessions(
  words: string[],
  shelf: SessionShelf,
  output: Output,
  hints: Output,
  width: number | undefined,
): Promise<Ending> {
  const query = words.join(" ").toLowerCase();
  const sessions = shelf.list().filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(query));
  const [only] = sessions;
  if (only === undefined && query === "") await hints.write("rondo: There is no session of this folder yet.\n");
  if (only === undefined && query !== "") throw new UsageError(`No session of this folder fits "${query}".`);
  const cut = width === undefined ? (text: string) => text : await titleCutter();
  const said = only && query !== "" && sessions.length === 1 ? entryLines(readSessionFile(only.path).entries) : [];
  for (const { columns, title } of [...sessionLines(sessions), ...said]) {
    const shown = cut(output.escape(title), Math.max(TITLE_COLUMNS_MIN, (width ?? 0) - columns.length));
    await output.write(`${output.style("dim", columns)}${shown}\n`);
  }
  return "done";
}

/** Loaded only where something must be cut: it knows the width of every character. */
async function titleCutter(): Promise<(text: string, columns: number) => string> {
  const { truncateToWidth } = await import("@earendil-works/pi-tui");
  return (text, columns) => truncateToWidth(text, columns, "…");
}

/** Writes a session: that of a file, an id or a title, or the last one. */
export async function runExport(operands: string[], shelf: SessionShelf, output: Output): Promise<Ending> {
  const { words, format } = readOperands(operands);
  const wanted = words.join(" ");
  const path = wanted === "" ? shelf.lastPath() : existsSync(wanted) ? wanted : shelf.find(wanted).path;
  if (path === undefined) throw new UsageError("There is no session of this folder yet, so there is none to export.");
  const { header, entries } = readSessionFile(path);
  const session = spokenSession(header, entries);
  await output.writeForeign(format === "md" ? toMarkdown(session) : toHtml(session));
  return "done";
}

function readOperands(operands: string[]): { words: string[]; format: string } {
  let format: string | undefined;
  let words: string[];
  try {
    const parsed = parseArgs({ args: operands, options: { format: { type: "string" } }, allowPositionals: true });
    format = parsed.values.format ?? "html";
    words = parsed.positionals;
  } catch {
    throw new UsageError("Write rondo export [session] [--format html|md].");
  }
  if (format !== "html" && format !== "md") throw new UsageError(`--format is one of html, md, not "${format}".`);
  return { words, format };
}
