// Completion scripts for three shells, made from the tables of flags and commands.
import { COMMANDS } from "../commands/table.ts";
import { FLAGS, type Flag } from "./table.ts";

const TABLE: readonly Flag[] = FLAGS;
const COMMAND_NAMES = COMMANDS.map(({ name }) => name).join(" ");

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
  return `# Completion of rondo for bash: source <(rondo --completions bash)
_rondo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$previous" in
${cases.join("\n")}
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
  const specs = TABLE.map(({ name, short, value, choices, repeatable, help }) => {
    const names = short === undefined ? `--${name}` : `{-${short},--${name}}`;
    const argument = value === undefined ? "" : `:${quote(value)}:${choices ? `(${choices.join(" ")})` : ""}`;
    const prefix = short === undefined ? `'${repeatable ? "*" : ""}` : `'(-${short} --${name})'`;
    const separator = short === undefined ? `${names}` : `${names}'`;
    return `  ${prefix}${separator}[${quote(help)}]${argument}'`;
  });
  return `#compdef rondo
# Completion of rondo for zsh: source <(rondo --completions zsh)
_rondo_first() {
  _alternative 'commands:command:(${COMMAND_NAMES})' 'files:prompt or @file:_files'
}
_rondo() {
  _arguments -s \\
${specs.map((spec) => `  ${spec} \\`).join("\n")}
    '1:command, prompt or @file:_rondo_first' \\
    '*:prompt or @file:_files'
}
compdef _rondo rondo
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
  return `# Completion of rondo for fish: rondo --completions fish | source\n${[...commands, ...lines].join("\n")}\n`;
}
