// Searches the lines of files with ripgrep. Nothing that comes from a model stands where ripgrep would take it for an option.
import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { runRipgrep } from "./ripgrep.ts";
import type { FoundLine, LineSearch, SearchEnd } from "./search-lines.ts";
import { globMatcher } from "./walk-files.ts";

interface RipgrepText {
  text?: string;
  bytes?: string;
}

/** As `searchLines`, by a ripgrep that is started in a folder. */
export async function searchLinesWithRipgrep(
  command: string,
  { pattern, path, glob, ignoreCase, literal, context = 0 }: LineSearch,
  folder: string,
  signal: AbortSignal | undefined,
  onLine: (line: FoundLine) => boolean,
): Promise<SearchEnd> {
  const args = ["--json", "--hidden", "--crlf", "--glob=!.git", "--sort=path", `--context=${context}`];
  const isFolder = (await stat(path)).isDirectory();
  const isMeant = glob === undefined || !isFolder ? () => true : globMatcher(glob);
  // ripgrep takes its own --glob for more than the ignore files say, so that ignored files come. A type does not, but knows names
  // alone; it spares the search of files that are left out below.
  if (glob !== undefined && isFolder && !/[!/]/.test(glob)) args.push(`--type-add=wanted:${glob}`, "--type=wanted");
  if (ignoreCase) args.push("--ignore-case");
  if (literal) args.push("--fixed-strings");
  args.push(`--regexp=${pattern}`, "--", path);
  let isAny = false;
  const { exitCode, errorText } = await runRipgrep(command, args, folder, signal, (output) => {
    const line = readLine(output);
    if (!line) return true;
    isAny = true;
    if (line.file !== "" && !isMeant(relative(path, line.file))) return true;
    return onLine(line);
  });
  if (exitCode === 2 && !isAny) throw new Error(`The search failed: ${errorText}`);
  return { isCut: exitCode === undefined, skipped: 0 };
}

/** One line of ripgrep's JSON; undefined for what is no line of a file. */
function readLine(output: string): FoundLine | undefined {
  let entry: { type: string; data: { path?: RipgrepText; lines?: RipgrepText; line_number?: number | null } };
  try {
    entry = JSON.parse(output);
  } catch {
    // A line that was cut because it was too long.
    return { file: "", number: undefined, text: "a match in a line that is too long to show", isMatch: true };
  }
  const { type, data } = entry;
  if (type !== "match" && type !== "context") return undefined;
  return {
    file: textOf(data.path),
    number: data.line_number ?? undefined,
    text: textOf(data.lines),
    isMatch: type === "match",
  };
}

function textOf(value: RipgrepText | undefined): string {
  return value?.text ?? Buffer.from(value?.bytes ?? "", "base64").toString("utf8");
}
