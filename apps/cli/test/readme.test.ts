// What the README says about scripts, as somebody types it: each line of that section runs in a shell with the built command on the path.
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { commandLine } from "./command.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const [, section = ""] = readFileSync(join(root, "README.md"), "utf8").split("## In scripts and programs\n");
const lines = section
  .split("\n## ")[0]
  ?.split("\n")
  .filter((line) => line.startsWith("    "))
  .map((line) => line.trim());

const has = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Runs a line in a repository with a staged change, where `rondo` is the built command without any key. */
async function run(line: string): Promise<{ stdout: string; cwd: string }> {
  const base = temporaryFolder();
  const [cwd, bin] = [join(base, "workspace"), join(base, "bin")];
  for (const folder of [cwd, bin]) mkdirSync(folder);
  const words = (await commandLine()).map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "rondo"), `#!/bin/sh\nexec ${words} --model demo "$@"\n`);
  chmodSync(join(bin, "rondo"), 0o755);
  writeFileSync(join(cwd, "shape.json"), '{"type":"string"}');
  writeFileSync(join(cwd, "note.txt"), "new\n");
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env });
  git("init", "-q");
  git("config", "user.name", "Somebody");
  git("config", "user.email", "somebody@example.com");
  git("add", "note.txt");
  const { stdout } = await promisify(execFile)("bash", ["-c", line.replaceAll("apps/cli/", `${root}apps/cli/`)], {
    ...{ cwd, env, encoding: "utf8" },
  });
  return { stdout, cwd };
}

test("the section has the lines that are run below", () => {
  expect(lines?.map((line) => line.split(" ")[0])).toEqual(["git", "rondo", "rondo", "echo", "python3"]);
});

test("an answer goes through a pipe into a commit", async () => {
  const { cwd } = await run(lines?.[0] ?? "");
  expect(execFileSync("git", ["log", "--format=%s"], { cwd, encoding: "utf8" })).toContain("demo");
});

test("an answer that does not fit ends with exit code 6", async () => {
  await expect(run(lines?.[1] ?? "")).rejects.toMatchObject({ code: 6, stdout: "" });
});

test.skipIf(!has("jq"))(
  `jq takes the answer out of the events${has("jq") ? "" : " (skipped: jq is not installed)"}`,
  async () => {
    expect((await run(lines?.[2] ?? "")).stdout).toContain("I am Rondo's demo");
  },
);

test("one request through a pipe, and the client in Python", async () => {
  const { stdout } = await run(lines?.[3] ?? "");
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  expect([last.event.type, last.event.reason]).toEqual(["agent_end", "completed"]);
  if (has("python3")) expect((await run(lines?.[4] ?? "")).stdout).toContain("I am Rondo's demo");
});
