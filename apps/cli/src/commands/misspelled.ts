// A command line that is one word, and that word nearly a command: whoever typed it meant the command, and a model would be paid
// for a guess. With further words, or behind `--`, it is a prompt whatever it says.
import { nearest } from "@rondo/ai";
import { UsageError } from "../exit-codes.ts";
import type { CommandLine } from "../flags/parse.ts";
import { COMMANDS } from "./table.ts";

/** One letter in three: `docter` is a command, and `test` is no `trust`. */
const EDITS_PER_CHARACTER = 1 / 3;

/** Throws a `UsageError` if the first and only word is a command but for one or two letters. */
export function refuseMisspelledCommand(first: string | undefined, { words, has }: CommandLine): void {
  const [word, ...others] = words;
  if (word === undefined || word !== first || others.length > 0 || has("print")) return;
  // Nobody gets the first letter wrong: `report` is a prompt, and no `export`.
  const names = COMMANDS.map(({ name }) => name).filter((name) => name[0] === word[0]?.toLowerCase());
  const meant = nearest(word, names, EDITS_PER_CHARACTER).map((name) => `rondo ${name}`);
  if (meant.length === 0) return;
  throw new UsageError(
    `There is no command ${word}. Did you mean ${meant.join(" or ")}? To say the word to the model: rondo -- ${word}`,
  );
}
