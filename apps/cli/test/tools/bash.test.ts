import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CommandDetails } from "../../src/tools/bash.ts";
import { processesIn } from "../processes.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

test("output, exit code and folder", async () => {
  const { call, root } = temporaryWorkspace();
  expect(await call("bash", { command: "pwd; echo bad >&2; exit 3" })).toEqual({
    content: [{ type: "text", text: `${root}\nbad\n\n[Exit code 3.]` }],
    details: { command: "pwd; echo bad >&2; exit 3", exitCode: 3, timedOut: false },
    isError: true,
  });
  expect(await call("bash", { command: "true" })).toEqual({
    content: [{ type: "text", text: "The command printed nothing." }],
    details: { command: "true", exitCode: 0, timedOut: false },
  });
});

test("characters that are cut between two writes stay whole, on both streams", async () => {
  const { textOf } = temporaryWorkspace();
  const command = String.raw`printf '\xe5\x8c'; sleep 0.05; printf '\x97'; printf '\xe4\xba' >&2; sleep 0.05; printf '\xac' >&2`;
  expect(await textOf("bash", { command })).toMatch(/^(北京|京北)$/);
});

describe("a child that keeps the pipe open", () => {
  test.each([
    ["in the background", "sleep 300 & echo hi"],
    ["in a session of its own", "(setsid sleep 300 &) ; echo hi"],
    ["that ignores signals", "(trap '' TERM HUP; sleep 300) & echo hi"],
  ])("%s does not hold the call up, is told of, and is gone at the end of the session", async (_name, command) => {
    const { textOf, workspace, root } = temporaryWorkspace();
    expect(await textOf("bash", { command })).toBe(
      "hi\n\n[Job 1: processes that it started are still running in the background.]",
    );
    expect(processesIn(root)).not.toEqual([]);
    workspace.processGroups.killAll();
    await until(() => processesIn(root).length === 0);
  });
});

test("what runs in the background can be listed, read and stopped", async () => {
  const { textOf, call, root } = temporaryWorkspace();
  expect(await textOf("jobs", { action: "list" })).toBe("Nothing was left running in the background.");
  await textOf("bash", { command: "(echo begun; sleep 0.3; echo more; sleep 300) & echo started" });
  expect(await textOf("jobs", { action: "list" })).toBe(
    "1  running  (echo begun; sleep 0.3; echo more; sleep 300) & echo started",
  );
  while (!(await textOf("jobs", { action: "read", id: 1 })).includes("more")) await delay(10);
  expect((await textOf("jobs", { action: "read", id: 1 })).trim().split("\n").sort()).toEqual([
    "begun",
    "more",
    "started",
  ]);
  expect(await textOf("jobs", { action: "stop", id: 1 })).toBe("Job 1 has ended.");
  expect(processesIn(root)).toEqual([]);
  expect(await textOf("jobs", { action: "list" })).toMatch(/^1 {2}ended {2}/);
  await expect(call("jobs", { action: "stop", id: 2 })).rejects.toThrow("There is no job 2.");
  await expect(call("jobs", { action: "read" })).rejects.toThrow("needs the id of a job");
});

test("a server in the background survives its own output, whose file is open no longer than it runs", async () => {
  const { textOf, path, workspace } = temporaryWorkspace();
  const command = "(for i in 1 2 3; do sleep 0.2; printf %50000d $i; done; touch survived) & echo started";
  await textOf("bash", { command });
  await until(() => existsSync(path("survived")));
  await until(() => !filesOpen().some((file) => file.startsWith(workspace.outputFolder)));
  expect(await textOf("jobs", { action: "read", id: 1 })).toContain(
    "[150.0 KB of output; the middle is left out here.",
  );
});

/** The files that this process has open, where the system tells. */
function filesOpen(): string[] {
  if (!existsSync("/proc/self/fd")) return [];
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
}

test.each([
  ["a shell that ignores SIGTERM", "trap '' TERM; echo begun; sleep 600 & wait"],
  ["a child in a session of its own", "echo begun; setsid sleep 600 & sleep 600"],
])("a timeout ends %s and all that it started, and keeps what was printed", async (_name, command) => {
  const { call, root } = temporaryWorkspace();
  const result = await call("bash", { command, timeout: 1 });
  expect(result).toEqual({
    content: [{ type: "text", text: "begun\n\n[Ended after 1 s (timeout), with all that it had started.]" }],
    details: { command, timedOut: true },
    isError: true,
  });
  expect(processesIn(root)).toEqual([]);
});

test("an abort ends the command and all that it started", async () => {
  const { call, root, path } = temporaryWorkspace();
  const controller = new AbortController();
  const run = call("bash", { command: "touch begun; sleep 600 & sleep 600" }, controller.signal);
  const rejected = expect(run).rejects.toThrow("Ended because the run was aborted, with all that it had started.");
  await until(() => existsSync(path("begun")));
  controller.abort();
  await rejected;
  expect(processesIn(root)).toEqual([]);
});

test.each([
  ["cat", "The command printed nothing."],
  ["read -r line; echo got $?", "got 1"],
  ["test -t 0 || echo no terminal", "no terminal"],
  ["(: </dev/tty) 2>/dev/null || echo no tty", "no tty"],
  ["echo $GIT_TERMINAL_PROMPT $PAGER $GIT_EDITOR", "0 cat true"],
])("nothing waits for a person: %s", async (command, output) => {
  const { textOf } = temporaryWorkspace();
  expect(await textOf("bash", { command })).toBe(output);
});

test("keys of model providers are not in the environment, the rest is", async () => {
  const env = {
    PATH: process.env["PATH"],
    ANTHROPIC_API_KEY: "k1",
    OPENAI_API_KEY: "k2",
    GEMINI_API_KEY: "k3",
    KEEP: "kept",
  };
  const { textOf } = temporaryWorkspace({}, env);
  expect(await textOf("bash", { command: "env | grep -E 'k[123]$' || echo none of $KEEP" })).toBe("none of kept");
});

test("long output is shown by its beginning and end and is whole in a file", async () => {
  const { call } = temporaryWorkspace();
  const { content, details } = await call("bash", { command: "seq 1 200000" });
  const text = content[0]?.type === "text" ? content[0].text : "";
  const { outputFile } = details as CommandDetails;
  expect(text.length).toBeLessThan(42_000);
  expect(text.startsWith("1\n2\n3\n")).toBe(true);
  expect(text.endsWith("\n199999\n200000")).toBe(true);
  expect(text).toContain(`[1.3 MB of output; the middle is left out here. All of it is in ${outputFile}]`);
  expect(readFileSync(outputFile!, "utf8")).toBe(Array.from({ length: 200_000 }, (_, n) => `${n + 1}\n`).join(""));
});

test("a folder that is gone and a shell that is missing are errors in words", async () => {
  const gone = temporaryWorkspace();
  rmSync(gone.root, { recursive: true });
  await expect(gone.call("bash", { command: "true" })).rejects.toThrow("is not there any more");
  const shellless = temporaryWorkspace({}, { PATH: "/nonexistent" });
  await expect(shellless.call("bash", { command: "true" })).rejects.toThrow("bash did not start");
});

test.each(["with space", "quo'te\"s", "ünï-北京", "$HOME `x`", "-dash"])(
  "it runs in a folder named %j",
  async (name) => {
    const { workspace, textOf, path } = temporaryWorkspace({ [`${name}/file`]: "here" });
    workspace.root = path(name);
    expect(await textOf("bash", { command: 'basename -- "$PWD"; cat file' })).toBe(`${name}\nhere`);
  },
);

/** Waits for a condition, which a test that fails never meets. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}
