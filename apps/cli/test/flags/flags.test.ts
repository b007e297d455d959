import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { THINKING_LEVELS } from "@rondo/ai";
import { describe, expect, test } from "vitest";
import { refuseMisspelledCommand } from "../../src/commands/misspelled.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { completionScript } from "../../src/flags/completions.ts";
import { commandHelp, helpText, referenceMarkdown } from "../../src/flags/help.ts";
import { parseCommandLine } from "../../src/flags/parse.ts";
import { FLAGS, type Flag } from "../../src/flags/table.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;
/** What somebody types before the tab key, and what they are offered. */
const SHELL_LINES = [
  "rondo auth ",
  "rondo auth s",
  "rondo trust ",
  "rondo wor",
  "rondo hi @/etc/hostn",
  "rondo --mode j",
  "rondo --mod",
];
const SHELL_WORDS = [
  ["remove", "set"],
  ["set"],
  ["remove"],
  ["worker"],
  ["@/etc/hostname"],
  ["json"],
  ["--mode", "--model"],
];
/** Types the lines into a zsh in a terminal, and writes down in the file `found` of the folder what its completion adds. */
const ZSH_DRIVER = `
zmodload zsh/zpty
folder=$1
shift
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit; compinit -D -u; source \${(q)folder}/_rondo; setopt extended_glob; rondo() {}"
zpty -w shell 'compadd() {
  if [[ " $* " == *" "-[a-zA-Z]#[OAD]" "* ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -O hits "$@"
  print -rl -- \${(o)hits} >> '\${(q)folder}'/found
  builtin compadd "$@"
}'
for line in "$@"; do
  zpty -w shell "print -r -- '== $line' >> \${(q)folder}/found"
  zpty -w shell "$line"$'\\t'
done
zpty -w shell "print -r -- THE-''END"
while zpty -r shell output; do [[ $output == *THE-END* ]] && break; done
zpty -d shell
`;

test("flags, their values and the words of the prompt", () => {
  const line = parseCommandLine(
    "-p fix it --model=a/b:high --allow edit --allow bash(npm\u00a0test) --max-turns 3 --deny read @x -- --not-a-flag".split(
      " ",
    ),
  );
  expect([line.has("print"), line.has("yolo"), line.value("model"), line.number("max-turns")]).toEqual([
    true,
    false,
    "a/b:high",
    3,
  ]);
  expect([line.values("allow"), line.values("deny"), line.values("ask")]).toEqual([
    ["edit", "bash(npm\u00a0test)"],
    ["read"],
    [],
  ]);
  expect(line.words).toEqual(["fix", "it", "@x", "--not-a-flag"]);
});

test("the last value counts, and a single dash is a word", () => {
  const line = parseCommandLine(["-m", "a", "-m", "b", "-"]);
  expect([line.value("model"), line.words]).toEqual(["b", ["-"]]);
});

test.each([
  [["--modle", "x"], "There is no flag --modle. Did you mean --model or --mode? rondo --help lists them all."],
  [["-x"], "There is no flag -x. rondo --help lists them all."],
  [["--model"], "--model needs a value: --model <provider/id[:level],…>."],
  [["--model", "--print"], "--model needs a value: --model <provider/id[:level],…>."],
  [["--mode", "loud"], '--mode is one of print, json, rpc, acp, not "loud".'],
  [["--max-turns", "none"], '--max-turns needs a whole number above zero, not "none".'],
  [["--max-turns", "1.5"], '--max-turns needs a whole number above zero, not "1.5".'],
  [["--max-cost", "0"], '--max-cost needs a number above zero, not "0".'],
  [["--timeout", "Infinity"], '--timeout needs a number above zero, not "Infinity".'],
  [["--yolo=no"], "--yolo takes no value."],
])("%j is a usage error in words", (argv, message) => {
  expect(() => parseCommandLine(argv)).toThrow(expect.objectContaining({ name: "UsageError", message }));
});

test.each([
  [["sesions"], "Did you mean rondo sessions?"],
  [["Doctor", "--mode", "json"], "Did you mean rondo doctor?"],
  [["autj"], "Did you mean rondo auth?"],
])("%j is nearly a command, and refused", (argv, hint) => {
  expect(() => refuseMisspelledCommand(argv[0], parseCommandLine(argv))).toThrow(hint);
});

test.each([
  ["test"],
  ["docter now"],
  ["docter", "now"],
  ["--", "docter"],
  ["report"],
  ["end"],
  ["docter", "-p"],
  ["--yolo", "docter"],
  ["-"],
])("%j %j is a prompt", (...argv) => {
  expect(() => refuseMisspelledCommand(argv[0], parseCommandLine(argv))).not.toThrow();
});

test("the flag for thinking takes the levels that there are", () => {
  const flags: readonly Flag[] = FLAGS;
  expect(flags.find(({ name }) => name === "thinking")?.choices).toEqual(THINKING_LEVELS);
});

test("the help names every flag", () => {
  for (const { name } of FLAGS) expect(helpText()).toContain(`--${name}`);
});

test.each([0, 40, 60, 80, 96, 200])("the help fits a terminal of %i columns", (columns) => {
  const texts = [helpText(columns), ...COMMANDS.map(({ name }) => commandHelp(name, columns))];
  const longest = Math.max(...texts.flatMap((text) => text.split("\n")).map((line) => line.length));
  // What stands on the left is not broken, nor are the examples.
  expect(longest).toBeLessThanOrEqual(columns === 0 ? 96 : Math.max(63, Math.min(columns, 96)));
});

test("docs/cli.md ends with the table of flags and exit codes as they are", async () => {
  const file = new URL("../../../../docs/cli.md", import.meta.url);
  const written = readFileSync(file, "utf8");
  const marker = /<!-- generated from [^>]*-->\n/.exec(written);
  const before = written.slice(0, (marker?.index ?? 0) + (marker?.[0].length ?? 0));
  await expect(`${before}\n${referenceMarkdown()}\n`).toMatchFileSnapshot(file.pathname);
});

describe("completion scripts", () => {
  test.each(["bash", "zsh", "fish"] as const)("the one for %s names every flag", (shell) => {
    for (const { name } of FLAGS)
      expect(completionScript(shell)).toContain(shell === "fish" ? `-l ${name}` : `--${name}`);
  });

  test.each(["bash", "zsh", "fish"] as const)("the one for %s names every command", (shell) => {
    for (const { name } of COMMANDS) expect(completionScript(shell)).toContain(name);
  });

  test("bash completes flags, commands, @files and the values of flags that have a list", () => {
    const complete = (words: string[]) => {
      const script = `${completionScript("bash")}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _rondo; echo "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim();
    };
    expect(complete(["rondo", "--mo"])).toBe("--model --mode");
    expect([complete(["rondo", "--mode", "j"]), complete(["rondo", "--mode", "=", "j"])]).toEqual(["json", "json"]);
    expect(complete(["rondo", "--mode", "="])).toBe("print json rpc acp");
    expect([complete(["rondo", "auth", ""]), complete(["rondo", "trust", ""])]).toEqual(["set remove", "remove"]);
    expect([complete(["rondo", "wor"]), complete(["rondo", "hi", "wor"])]).toEqual(["worker", ""]);
    expect(complete(["rondo", "hi", "@/etc/host"])).toContain("@/etc/hostname");
  });

  test.skipIf(!isThere("fish"))("fish completes the same (skipped where it is not installed)", () => {
    const complete = (line: string) =>
      execFileSync("fish", ["--no-config", "-c", `${completionScript("fish")}\ncomplete -C '${line}'`], {
        encoding: "utf8",
      })
        .trim()
        .split("\n")
        .map((found) => found.split("\t")[0]);
    expect(SHELL_LINES.map(complete)).toEqual(SHELL_WORDS);
  });

  test.skipIf(!isThere("zsh"))("zsh completes the same (skipped where it is not installed)", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "_rondo"), completionScript("zsh"));
    writeFileSync(join(folder, "drive"), ZSH_DRIVER);
    execFileSync("zsh", ["-f", join(folder, "drive"), folder, ...SHELL_LINES]);
    const found = readFileSync(join(folder, "found"), "utf8")
      .split(/^== .*\n/m)
      .slice(1);
    // The part of a path before its name is no part of what is found.
    const names = found.map((words) => words.split("\n").filter((word) => word !== ""));
    expect(names).toEqual(SHELL_WORDS.map((words) => words.map((word) => word.replace("@/etc/", ""))));
  });
});
