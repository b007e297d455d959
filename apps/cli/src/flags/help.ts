// The flags and exit codes as text for people: the help of the command, and the reference part of docs/cli.md.
import { COMMANDS, type CommandName } from "../commands/table.ts";
import { type Ending, EXIT_CODE_MEANINGS, EXIT_CODES } from "../exit-codes.ts";
import { FLAGS, type Flag } from "./table.ts";

const GROUPS = ["Model", "Session", "Output", "Permissions", "Limits", "Durable runs", "Other"] as const;
const HELP_WIDTH = 96;
const HELP_WIDTH_MIN = 30;
/** Where the right column begins; on a narrow terminal the two stand below each other. */
const FLAG_WIDTH = 30;
const NARROW_FLAG_WIDTH = 8;
const CODE_WIDTH = 7;

/**
 * The text of `rondo --help`.
 *
 * @param columns of the terminal. Default: 96, which is the most that is used
 */
export function helpText(columns = HELP_WIDTH): string {
  const width = fit(columns);
  const groups = GROUPS.map((group) => [group, ...flagsOf(group).map((flag) => helpLine(flag, width))].join("\n"));
  const commands = COMMANDS.map(({ name, operands, help }) =>
    entry(`  rondo ${name} ${operands}`.trimEnd(), help, width),
  );
  return `rondo: an agent for the command line, with any model

  rondo                          a conversation in the terminal
  rondo "fix the failing test"   the same, beginning with that
  rondo -p "what does this do?" @src/main.ts
  git diff | rondo -p "write a commit message"

${wrap(INTRODUCTION, width).join("\n")}

Commands
${commands.join("\n")}

${groups.join("\n\n")}

Exit codes
${endings()
  .map(([code, meaning]) => columnsOf(`  ${code}`, meaning, CODE_WIDTH, width))
  .join("\n")}
`;
}

const INTRODUCTION =
  "The prompt is every word that is no flag. @file puts a file into it, and piped text follows it. Without --model it is the " +
  "model that answered last, else one of the first provider with a key, else one of a local server that answers, else a demo, " +
  "which is a script and no language model.";

/** A terminal without a size says 0. */
function fit(columns: number): number {
  return Math.min(HELP_WIDTH, Math.max(HELP_WIDTH_MIN, columns || HELP_WIDTH));
}

/** The text of `rondo <command> --help`. */
export function commandHelp(name: CommandName, columns = HELP_WIDTH): string {
  const { operands = "", help = "" } = COMMANDS.find((command) => command.name === name) ?? {};
  return `rondo ${`${name} ${operands}`.trim()}

${wrap(help, fit(columns)).join("\n")}

rondo --help shows all commands and flags.
`;
}

/** The tables of flags and exit codes in docs/cli.md. */
export function referenceMarkdown(): string {
  const escapeCell = (text: string) => text.replace(/\|/g, "\\|");
  const groups = GROUPS.map((group) => {
    const rows = flagsOf(group).map((flag) => `| \`${flagSyntax(flag)}\` | ${escapeCell(describe(flag))} |`);
    return [`### ${group}`, "", "| Flag | Meaning |", "| --- | --- |", ...rows].join("\n");
  });
  const rows = endings().map(([code, meaning]) => `| ${code} | ${escapeCell(meaning)} |`);
  const commandRows = COMMANDS.map(
    ({ name, operands, help }) => `| \`rondo ${`${name} ${escapeCell(operands)}`.trim()}\` | ${escapeCell(help)} |`,
  );
  const commands = ["### Commands", "", "| Command | Meaning |", "| --- | --- |", ...commandRows].join("\n");
  return [commands, ...groups, ["### Exit codes", "", "| Code | Meaning |", "| --- | --- |", ...rows].join("\n")].join(
    "\n\n",
  );
}

function flagsOf(group: Flag["group"]): Flag[] {
  return FLAGS.filter((flag) => flag.group === group);
}

function endings(): [number, string][] {
  return (Object.keys(EXIT_CODES) as Ending[]).map((ending) => [EXIT_CODES[ending], EXIT_CODE_MEANINGS[ending]]);
}

function flagSyntax({ name, short, value, optional }: Flag): string {
  const shown = value === undefined ? "" : optional ? ` [${value}]` : ` <${value}>`;
  return `${short === undefined ? "" : `-${short}, `}--${name}${shown}`;
}

function describe({ help, choices, repeatable }: Flag): string {
  const listed = choices ? ` One of ${choices.join(", ")}.` : "";
  return `${help}${listed}${repeatable ? " May be repeated." : ""}`;
}

function helpLine(flag: Flag, width: number): string {
  return entry(`  ${flag.short === undefined ? "    " : ""}${flagSyntax(flag)}`, describe(flag), width);
}

/** What it is called on the left, what it does on the right. */
function entry(syntax: string, meaning: string, width: number): string {
  return columnsOf(syntax, meaning, width < HELP_WIDTH_MIN + FLAG_WIDTH ? NARROW_FLAG_WIDTH : FLAG_WIDTH, width);
}

function columnsOf(left: string, right: string, start: number, width: number): string {
  const lines = wrap(right, width - start);
  const first = left.length < start ? left.padEnd(start) + (lines.shift() ?? "") : left;
  return [first, ...lines.map((line) => " ".repeat(start) + line)].join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
