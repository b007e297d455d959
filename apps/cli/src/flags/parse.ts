// The command line as a value: flags by name, and the words that are no flags. Knows the table and nothing else.
import { parseArgs } from "node:util";
import { UsageError } from "../exit-codes.ts";
import { FLAGS, type Flag, type FlagName } from "./table.ts";

const TABLE: readonly Flag[] = FLAGS;

/** What a person typed. */
export interface CommandLine {
  /** Whether an on-off flag was given. */
  has(name: FlagName): boolean;
  /** The value of a flag; the last one counts. */
  value(name: FlagName): string | undefined;
  /** All values of a flag that may be repeated. */
  values(name: FlagName): string[];
  /** The value of a flag as a number. */
  number(name: FlagName): number | undefined;
  /** The rest: the prompt and `@file` arguments. Everything after `--` is here. */
  words: string[];
}

/** Reads the arguments after the command's name. Throws a `UsageError` that names what is wrong. */
export function parseCommandLine(argv: string[]): CommandLine {
  const options = Object.fromEntries(
    TABLE.map(({ name, short, value }) => {
      const type = value === undefined ? ("boolean" as const) : ("string" as const);
      return [name, { type, multiple: true as const, ...(short === undefined ? {} : { short }) }];
    }),
  );
  const { tokens } = parseArgs({
    args: withEmptyValues(argv),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = TABLE.find((candidate) => candidate.name === token.name);
    if (!flag) throw unknownFlag(token.rawName);
    given.set(flag.name, [
      ...(given.get(flag.name) ?? []),
      checkValue(flag, token.inlineValue ? token.value : valueAfter(token.value)),
    ]);
  }
  return {
    has: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1),
    values: (name) => given.get(name) ?? [],
    number: (name) => (given.has(name) ? Number(given.get(name)?.at(-1)) : undefined),
    words,
  };
}

/** A flag whose value was left out must not take the flag after it for one. */
function withEmptyValues(argv: string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.map((argument, index) => {
    const flag = TABLE.find(({ name, short }) => argument === `--${name}` || argument === `-${short}`);
    const next = index + 1 < end ? argv[index + 1] : undefined;
    return index < end && flag?.optional && (next === undefined || next.startsWith("-")) ? `--${flag.name}=` : argument;
  });
}

/** `--model --print` lacks a value; `--model=--print` has an odd one. */
function valueAfter(value: string | undefined): string | undefined {
  return value?.startsWith("-") ? undefined : value;
}

function checkValue(flag: Flag, value: string | undefined): string {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${flag.name} takes no value.`);
    return "";
  }
  if (flag.optional && !value) return "";
  if (value === undefined || value === "")
    throw new UsageError(`--${flag.name} needs a value: --${flag.name} <${flag.value}>.`);
  if (flag.choices && !flag.choices.includes(value))
    throw new UsageError(`--${flag.name} is one of ${flag.choices.join(", ")}, not "${value}".`);
  if (flag.number && !isCount(value, flag.number))
    throw new UsageError(
      `--${flag.name} needs a ${flag.number === "whole" ? "whole " : ""}number above zero, not "${value}".`,
    );
  return value;
}

function isCount(text: string, kind: "any" | "whole"): boolean {
  const value = Number(text);
  return value > 0 && (kind === "whole" ? Number.isSafeInteger(value) : Number.isFinite(value));
}

function unknownFlag(rawName: string): UsageError {
  const name = rawName.replace(/^-+/, "");
  const near = name.length < 2 ? [] : TABLE.filter((flag) => flag.name.startsWith(name.slice(0, 3)));
  const hint = near.length > 0 ? ` Did you mean ${near.map((flag) => `--${flag.name}`).join(" or ")}?` : "";
  return new UsageError(`There is no flag ${rawName}.${hint} rondo --help lists them all.`);
}
