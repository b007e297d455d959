// Takes a shell command apart as far as that can be done with certainty: plain words, quotes without expansions, and the
// operators between commands. Whatever else a shell knows (substitution, redirection, assignment, globs, background, groups,
// comments, escapes, here-documents) makes it "not understood", which is never allowed by a rule. A guard rail, no sandbox.
import { hasRiskyArgument } from "./risky-arguments.ts";

/** The simple commands of a line, each as its words; undefined if anything in it was not understood. */
export function parseShellCommand(command: string): string[][] | undefined {
  const commands: string[][] = [[]];
  let index = 0;
  while (index < command.length) {
    BLANKS.lastIndex = index;
    index += BLANKS.exec(command)?.[0].length ?? 0;
    if (index >= command.length) break;
    OPERATOR.lastIndex = index;
    const operator = OPERATOR.exec(command)?.[0];
    if (operator !== undefined) {
      if (commands.at(-1)?.length === 0) return undefined;
      commands.push([]);
      index += operator.length;
      continue;
    }
    WORD.lastIndex = index;
    const word = WORD.exec(command)?.[0];
    if (word === undefined) return undefined;
    index += word.length;
    commands.at(-1)?.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_quoted, single, double) => single ?? double ?? ""));
  }
  if (commands.at(-1)?.length === 0) commands.pop();
  const isPlain = commands.length > 0 && commands.every(([name]) => name !== undefined && NAME.test(name));
  return isPlain ? commands : undefined;
}

const BLANKS = /[ \t]+/y;
/** `&` alone is not among them: it starts something that goes on in the background. */
const OPERATOR = /\n|;(?!;)|&&|\|\|(?!\|)|\|(?![|&])/y;
/** Unquoted: characters that mean themselves in every position. Quoted: no expansion, no history, no line break. */
const WORD = /(?:[A-Za-z0-9_@%+:,./=-]|'[^'\x00-\x1f\x7f]*'|"[^"$`\\!\x00-\x1f\x7f]*")+/y;
/** Not an assignment, and no reserved word of the shell. */
const NAME =
  /^(?!(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc)$)[A-Za-z0-9_./+-]+$/;

/** Programs that run what their arguments say, so that the first word alone tells nothing. */
const RUNNERS = new Set(
  (
    "sh bash dash zsh fish ksh env sudo doas su runuser exec eval command builtin source . trap xargs nohup nice ionice timeout stdbuf setsid " +
    "setpriv taskset chrt unshare nsenter chroot fakeroot strace ltrace watch parallel ssh script busybox entr unbuffer systemd-run flatpak-spawn"
  ).split(" "),
);

/** Programs that do what comes through standard input says, whatever their arguments. */
const INTERPRETERS = new Set(
  "python python2 python3 node deno bun perl ruby php lua Rscript osascript psql mysql mariadb sqlite3 redis-cli mongosh ed ex gdb patch at batch crontab".split(
    " ",
  ),
);

/** Whether a command runs another one. */
export function isRunner(words: string[]): boolean {
  return RUNNERS.has(programOf(words));
}

/** Whether it cannot be told what a command runs or writes. */
export function isHidden(words: string[]): boolean {
  return isRunner(words) || hasRiskyArgument(words, programOf(words), 1) || runsInlineCode(words);
}

/** An interpreter that is handed its program as an argument, or by whatever comes through standard input. */
function runsInlineCode(words: string[]): boolean {
  if (!isInterpreter(words)) return false;
  // What stands behind the first word that is no option is for the program that it names.
  const program = words.findIndex((word, index) => index > 0 && !word.startsWith("-"));
  const options = words.slice(1, program === -1 ? undefined : program);
  return program === -1 || words[program] === "eval" || options.some((word) => INLINE_CODE.test(word));
}

const INLINE_CODE = /^-(?:[a-zA-Z]*[ceEprx]|-(?:eval|print|command|execute|run)(?:=|$))/;

/** Whether a command may do what it is handed through standard input. */
export function isInterpreter(words: string[]): boolean {
  return INTERPRETERS.has(programOf(words));
}

/** Words as they may stand in a rule, quoted where they must be; undefined if they cannot. */
export function commandText(words: string[]): string | undefined {
  const texts = words.map((word) => {
    const forms = [word, `'${word}'`, `"${word}"`];
    return forms.find((form) => parseShellCommand(`x ${form}`)?.[0]?.join(" ") === `x ${word}`);
  });
  return texts.includes(undefined) ? undefined : texts.join(" ");
}

/** The program's name without its folder. */
function programOf(words: string[]): string {
  return words[0]?.split("/").at(-1) ?? "";
}

/**
 * Whether a command matches the pattern of a rule that allows. `npm test` is this command and no other; `git log:*` is it with
 * any further words, but for those by which the program would run or write something.
 */
export function isAllowedBy(pattern: string, words: string[]): boolean {
  const { wanted, isPrefix } = readPattern(pattern);
  if (!wanted?.every((word, index) => word === words[index])) return false;
  if (words.length === wanted.length) return true;
  return isPrefix && !isRunner(words) && !hasRiskyArgument(words, programOf(words), wanted.length);
}

/**
 * Whether a command matches the pattern of a rule that forbids or asks. More widely: by the program's name without its folder, in small
 * letters or capitals, since some file systems do not tell them apart, and whatever options stand between the words.
 */
export function isForbiddenBy(pattern: string, words: string[]): boolean {
  const { wanted, isPrefix } = readPattern(pattern);
  if (!wanted) return true;
  const [program = "", ...others] = wanted;
  const names = [words[0], programOf(words)].map((name) => name?.toLowerCase());
  if (!names.includes(program.toLowerCase())) return false;
  const rest = words.slice(1);
  if (!isPrefix) return rest.length === others.length && rest.every((word, index) => word === others[index]);
  let at = 0;
  for (const word of others) {
    // Behind an option its value may stand, so the word is looked for in all that follows.
    const found = rest[at]?.startsWith("-") ? rest.indexOf(word, at) : rest[at] === word ? at : -1;
    if (found === -1) return false;
    at = found + 1;
  }
  return true;
}

/** Whether a pattern is one plain command, whole or a beginning. */
export function isCommandPattern(pattern: string): boolean {
  return readPattern(pattern.trim()).wanted !== undefined;
}

function readPattern(pattern: string): { wanted: string[] | undefined; isPrefix: boolean } {
  const isPrefix = pattern.endsWith(":*");
  const commands = parseShellCommand(isPrefix ? pattern.slice(0, -2) : pattern);
  return { wanted: commands?.length === 1 ? commands[0] : undefined, isPrefix };
}
