// Takes a shell command apart as far as that can be done with certainty: plain words, quotes without expansions, and the
// operators between commands. Whatever else a shell knows (substitution, redirection, assignment, globs, background, groups,
// comments, escapes, here-documents) makes it "not understood", which is never allowed by a rule. A guard rail, no sandbox.

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
  "sh bash dash zsh fish ksh env sudo doas su exec eval command builtin source . xargs nohup nice timeout stdbuf setsid watch parallel ssh script busybox".split(
    " ",
  ),
);

/** Programs that do what comes through standard input says, whatever their arguments. */
const INTERPRETERS = new Set(
  "python python2 python3 node deno bun perl ruby php lua Rscript osascript psql mysql mariadb sqlite3 redis-cli mongosh ed ex gdb patch at batch crontab".split(
    " ",
  ),
);

/** Arguments with which a program that seems to read only runs or writes something. */
const RISKY_ARGUMENTS: Record<string, RegExp> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  git: /^(?:-c|-C|--exec-path|--git-dir|--work-tree|--output|-o|-O|--open-files-in-pager|--ext-diff|--textconv|--upload-pack|--receive-pack|--exec|-x|--config-env)(?:=|$)|^-c./,
  rg: /^--(?:pre|hostname-bin)/,
  fd: /^(?:-x|-X|--exec|--exec-batch)/,
  sed: /^(?:-i|--in-place|-n?i)|(?:^|[;{}\d/$])\s*[ewW](?:\s|$)/,
  sort: /^(?:-o|--output|--compress-program)/,
  tar: /^--(?:to-command|checkpoint-action|use-compress-program|rsh-command)|^-I/,
  awk: /system\s*\(|\||>/,
  curl: /^(?:-o|-O|--output|--remote-name|-K|--config|-T|--upload-file)/,
  tee: /./,
};

/** Whether a command runs another one, or has an argument by which it runs or writes something. */
export function isRunner(words: string[]): boolean {
  return RUNNERS.has(programOf(words));
}

/** Whether an argument makes a command that usually reads run or write something. */
export function hasRiskyArgument(words: string[]): boolean {
  const risky = RISKY_ARGUMENTS[programOf(words)];
  return risky !== undefined && words.slice(1).some((word) => risky.test(word));
}

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
  return isPrefix && !isRunner(words) && !hasRiskyArgument(words.slice(0, 1).concat(words.slice(wanted.length)));
}

/** Whether a command matches the pattern of a rule that forbids or asks: more widely, by the program's name without its folder. */
export function isForbiddenBy(pattern: string, words: string[]): boolean {
  const { wanted, isPrefix } = readPattern(pattern);
  if (!wanted) return true;
  const plain = [programOf(words), ...words.slice(1)];
  const matches = wanted.every((word, index) => word === words[index] || word === plain[index]);
  return matches && (isPrefix || words.length === wanted.length);
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
