// Completion scripts for three shells, made from the tables of flags and commands.
import { COMMANDS, type CommandDescription } from "../commands/table.ts";
import { FLAGS, type Flag } from "./table.ts";

const TABLE: readonly Flag[] = FLAGS;
const COMMAND_TABLE: readonly CommandDescription[] = COMMANDS;
const COMMAND_NAMES = COMMANDS.map(({ name }) => name).join(" ");
/** The commands whose first operand is one of some words. */
const ACTIONS = COMMAND_TABLE.flatMap(({ name, actions }) => (actions ? [{ name, words: actions.join(" ") }] : []));

/** The script that makes a shell complete the flags and commands of rondo. */
export function completionScript(shell: "bash" | "zsh" | "fish"): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return zsh();
    case "fish":
      return fish();
  }
}

function bash(): string {
  const cases = TABLE.filter((flag) => flag.choices).map(
    ({ name, choices = [] }) =>
      `    --${name}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return ;;`,
  );
  const actions = ACTIONS.map(
    ({ name, words }) => `    2:${name}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`,
  );
  return `# Completion of rondo for bash: source <(rondo --completions bash)
_rondo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  # --flag=value comes as three words.
  if [[ "$current" == = ]]; then current=; elif [[ "$previous" == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$previous" in
${cases.join("\n")}
  esac
  case "$COMP_CWORD:\${COMP_WORDS[1]}" in
${actions.join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "${TABLE.map(({ name }) => `--${name}`).join(" ")}" -- "$current"))
  elif [[ "$current" == @* ]]; then
    COMPREPLY=($(compgen -P @ -f -- "\${current#@}"))
  elif [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "${COMMAND_NAMES}" -f -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _rondo rondo
`;
}

function zsh(): string {
  const quote = (text: string) => text.replace(/'/g, "'\\''").replace(/([[\]:])/g, "\\$1");
  const specs = TABLE.map(({ name, short, value, optional, choices, repeatable, help }) => {
    const names = short === undefined ? `--${name}` : `{-${short},--${name}}`;
    const argument =
      value === undefined ? "" : `${optional ? ":" : ""}:${quote(value)}:${choices ? `(${choices.join(" ")})` : ""}`;
    const prefix = short === undefined ? `'${repeatable ? "*" : ""}` : `'(-${short} --${name})'`;
    const separator = short === undefined ? `${names}` : `${names}'`;
    return `  ${prefix}${separator}[${quote(help)}]${argument}'`;
  });
  return `#compdef rondo
# Completion of rondo for zsh: source <(rondo --completions zsh)
_rondo_word() {
  local -a words_of_command
  if (( CURRENT == 2 )); then
    words_of_command=(${COMMAND_NAMES})
  elif (( CURRENT == 3 )); then
    case "$words[2]" in
${ACTIONS.map(({ name, words }) => `      ${name}) words_of_command=(${words}) ;;`).join("\n")}
    esac
    if (( $#words_of_command )); then
      compadd -a words_of_command
      return
    fi
  fi
  compset -P @ && words_of_command=()
  _alternative 'commands:command:compadd -a words_of_command' 'files:prompt or @file:_files'
}
_rondo() {
  _arguments -s \\
${specs.map((spec) => `  ${spec} \\`).join("\n")}
    '*:command, prompt or @file:_rondo_word'
}
# Read with source, or found by its name in a folder of $fpath.
if [[ "$funcstack[1]" == _rondo ]]; then _rondo "$@"; else compdef _rondo rondo; fi
`;
}

function fish(): string {
  const quote = (text: string) => text.replace(/\\/g, "\\\\").replace(/'/g, "\\'");
  const lines = TABLE.map(({ name, short, value, choices, help }) => {
    const shortName = short === undefined ? "" : ` -s ${short}`;
    const argument = value === undefined ? "" : choices ? ` -x -a '${choices.join(" ")}'` : " -r";
    return `complete -c rondo -l ${name}${shortName}${argument} -d '${quote(help)}'`;
  });
  const commands = COMMANDS.map(
    ({ name, help }) => `complete -c rondo -n __fish_use_subcommand -a ${name} -d '${quote(help)}'`,
  );
  const actions = ACTIONS.map(({ name, words }) => `complete -c rondo -n '__rondo_after ${name}' -x -a '${words}'`);
  return `# Completion of rondo for fish: rondo --completions fish | source
function __rondo_after
    set -l words (commandline -opc)
    test (count $words) -eq 2; and test $words[2] = $argv[1]
end
function __rondo_files
    for path in (__fish_complete_path (commandline -ct | string sub -s 2))
        echo @$path
    end
end
${[...commands, ...actions, ...lines].join("\n")}
complete -c rondo -n 'commandline -ct | string match -q "@*"' -x -a '(__rondo_files)'
`;
}
