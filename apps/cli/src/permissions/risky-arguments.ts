// Arguments by which programs that usually only read run or write something, so that no rule with `:*` covers them. From the manuals of
// the programs, looked at in 2026. Rather too much than too little: whoever means such a call allows it by a rule that spells it out.

/** What is risky about the arguments of one program. */
interface RiskyArguments {
  /** Names of long options. GNU programs and git take the beginning of a name for the name. */
  long?: readonly string[];
  /** Letters of short options, which may stand together behind one dash. */
  short?: string;
  /** Any other word. */
  words?: RegExp;
  /** Most words that are no options: a further one is a file that is written. */
  operandsMax?: number;
  /** Whether the first word that is no option is a program in a language of its own, and what it may be. */
  script?: RegExp;
}

/** Commands of sed that print, delete, end or replace: without `w`, `e`, brackets and escaped delimiters, which hide where one ends. */
const SED_ADDRESS = String.raw`(?:(?:\d+|\$|/[^/\\[]*/I?)(?:,(?:\+?\d+|\$|/[^/\\[]*/I?))?!?)?`;
const SED_REPLACE = String.raw`s([/|,#:@])(?:(?!\1)[^[\\]|\\[^/|,#:@[\]])*\1(?:(?!\1)[^[\\]|\\[^/|,#:@[\]])*\1[gpIi0-9]*`;
const SED_SCRIPT = new RegExp(`^(?:${SED_ADDRESS}(?:[pdq=]|${SED_REPLACE}))$`);

const AWK: RiskyArguments = {
  long: ["file", "include", "load", "exec", "source", "pretty-print", "profile", "dump-variables", "debug", "lint"],
  words: /system\s*\(|\||>|@|^-[fileEopdD]/,
};

const RISKY: Record<string, RiskyArguments> = {
  find: { words: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/ },
  git: {
    long: (
      "exec-path git-dir work-tree output output-directory open-files-in-pager ext-diff textconv upload-pack receive-pack exec " +
      "config-env config template extcmd"
    ).split(" "),
    words: /^-(?:c|C|o|x)|^-[A-Za-z]*O|^ext::|^(?:foreach|run|filter-branch|difftool|mergetool|config)$/,
  },
  rg: { long: ["pre", "hostname-bin"] },
  fd: { long: ["exec", "exec-batch"], short: "xX" },
  sed: { long: ["in-place", "file", "expression"], short: "ief", script: SED_SCRIPT },
  sort: { long: ["output", "compress-program"], short: "o" },
  tar: {
    long: "to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script".split(
      " ",
    ),
    short: "IF",
    // Old options have no dash: tar tIf.
    script: /[./-]|^[^IF]*$/,
  },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  curl: {
    long: (
      "output output-dir remote-name remote-name-all config upload-file dump-header cookie-jar trace trace-ascii stderr etag-save " +
      "hsts alt-svc libcurl"
    ).split(" "),
    short: "oOKTDc",
  },
  tee: { words: /./ },
  uniq: { operandsMax: 1 },
  xxd: { operandsMax: 1 },
  yq: { long: ["inplace", "in-place", "split-exp"], short: "is" },
  tree: { short: "oR" },
  less: { long: ["log-file", "LOG-FILE"], short: "oOk", words: /^\+/ },
  man: { long: ["pager", "html", "config-file"], short: "PHC" },
  bat: { long: ["pager", "paging"] },
};

/**
 * Whether an argument makes a command that usually reads run or write something.
 *
 * @param words the command
 * @param from the first word that is looked at: those before stand in the rule that allows it
 */
export function hasRiskyArgument(words: readonly string[], program: string, from: number): boolean {
  const risky = Object.hasOwn(RISKY, program) ? RISKY[program] : undefined;
  if (!risky) return false;
  const operands = words.map((_word, index) => index).filter((index) => index > 0 && !words[index]?.startsWith("-"));
  const [first] = operands;
  if (risky.operandsMax !== undefined && operands.length > risky.operandsMax) return true;
  if (risky.script && first !== undefined && first >= from && !risky.script.test(words[first] ?? "")) return true;
  return words.slice(from).some((word) => isRiskyWord(risky, word));
}

function isRiskyWord({ long = [], short = "", words }: RiskyArguments, word: string): boolean {
  if (words?.test(word)) return true;
  const name = /^--([^=]+)/.exec(word)?.[1];
  if (name !== undefined) return long.some((option) => option.startsWith(name));
  return /^-[^-]/.test(word) && [...word.slice(1)].some((letter) => short.includes(letter));
}
