// Commands in a sandbox. Where bubblewrap cannot make one, what would need it is skipped and says so.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { sandboxArguments, sandboxProblem } from "../../src/tools/sandbox.ts";
import { rondo } from "../command.ts";
import { processesIn } from "../processes.ts";
import { temporaryFolder, temporaryWorkspace } from "../temporary-workspace.ts";

const problem = await sandboxProblem(process.env);

function sandboxed(files: Record<string, string> = {}) {
  const place = temporaryWorkspace({ "file.txt": "old\n", ".git/HEAD": "", ".git/config": "[core]\n", ...files });
  const keys = place.path("keys");
  mkdirSync(keys);
  writeFileSync(join(keys, "keys.json"), "secret");
  place.workspace.sandbox = { root: place.root, outputFolder: place.workspace.outputFolder, hidden: [keys] };
  return { ...place, keys };
}

describe.skipIf(problem !== undefined)(`in a sandbox (${problem ?? "bubblewrap works here"})`, () => {
  test("the workspace and /tmp can be written, /tmp from one command to the next, and nothing else", async () => {
    const { textOf, path, base, keys, workspace } = sandboxed();
    const command = `echo new > file.txt && echo kept > /tmp/note; echo x > ${base}/outside; echo x > ~/outside-of-sandbox; cat ${keys}/keys.json`;
    const output = await textOf("bash", { command });
    expect(output).toContain("/outside-of-sandbox: Read-only file system");
    expect(output).toContain(`${keys}/keys.json: No such file or directory`);
    expect([readFileSync(path("file.txt"), "utf8"), existsSync(join(base, "outside"))]).toEqual(["new\n", false]);
    expect(await textOf("bash", { command: "cat /tmp/note; echo $TMPDIR; pwd" })).toBe(`kept\n/tmp\n${workspace.root}`);
    expect(existsSync("/tmp/note")).toBe(false);
  });

  test("what would make programs run outside is not written", async () => {
    const { textOf, path } = sandboxed({ ".git/hooks/sample": "", ".git/worktrees/other/commondir": "../..\n" });
    const names = ["config", "config.worktree", "commondir", "hooks/pre-commit", "worktrees/other/commondir"];
    const output = await textOf("bash", { command: names.map((name) => `echo x >> .git/${name}`).join("; ") });
    expect(output.match(/Read-only file system/g)).toHaveLength(names.length);
    expect(await textOf("bash", { command: "rm -f .git/commondir; mv .git elsewhere" })).toMatch(
      /^rm: .* Device or resource busy\nmv: .* Device or resource busy\n/,
    );
    expect(readFileSync(path(".git/config"), "utf8")).toBe("[core]\n");
    expect(readdirSync(path(".git")).sort()).toEqual(["HEAD", "config", "hooks", "worktrees"]);
  });

  test("git works in it as outside", async () => {
    const { textOf, root } = sandboxed({ ".git/HEAD": "ref: refs/heads/main\n" });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" });
    git("init", "--quiet");
    const author = "-c user.name=A -c user.email=a@example.com";
    const command = `git add file.txt && git ${author} commit --quiet -m first && git status --short && git log --format=%s`;
    expect(await textOf("bash", { command })).toBe("first");
    expect(git("log", "--format=%s")).toBe("first\n");
  });

  test("hooks that are made where there were none do not stay, and /tmp is the person's alone", async () => {
    const { textOf, path } = sandboxed();
    expect(await textOf("bash", { command: "echo x > .git/hooks/pre-commit && stat -c %a /tmp" })).toBe("700");
    expect(existsSync(path(".git/hooks/pre-commit"))).toBe(false);
  });

  test("there is no network, not even that of this machine", async () => {
    const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const command = `cat < /dev/tcp/127.0.0.1/${port}`;
    const { textOf, workspace } = sandboxed();
    expect(await textOf("bash", { command })).toContain("Connection refused");
    delete workspace.sandbox;
    expect(await textOf("bash", { command })).toBe("reached");
  });

  test("exit codes, background jobs and timeouts are as without", async () => {
    const { call, textOf, root } = sandboxed();
    expect(await call("bash", { command: "exit 3" })).toMatchObject({ isError: true, details: { exitCode: 3 } });
    expect(await textOf("bash", { command: "(setsid sleep 300 &); sleep 300 & echo hi" })).toBe(
      "hi\n\n[Job 1: processes that it started are still running in the background.]",
    );
    expect(await textOf("jobs", { action: "stop", id: 1 })).toBe("Job 1 has ended.");
    const late = await call("bash", { command: "trap '' TERM; setsid sleep 600 & sleep 600", timeout: 1 });
    expect(late).toMatchObject({ isError: true, details: { timedOut: true } });
    while (processesIn(root).length > 0) await delay(10);
  });

  test("the command has it by a flag, and leaves a repository as it was, whatever still ran", async () => {
    const cwd = join(temporaryFolder(), "workspace");
    mkdirSync(join(cwd, ".git/hooks"), { recursive: true });
    writeFileSync(join(cwd, ".git/HEAD"), "");
    await rondo(["run sleep 300 & touch inside ../outside", "--model", "demo", "--yolo", "--sandbox"], { cwd });
    expect([existsSync(join(cwd, "inside")), existsSync(join(cwd, "../outside"))]).toEqual([true, false]);
    expect(readdirSync(join(cwd, ".git"))).toEqual(["HEAD", "hooks"]);
  });

  test("or by a setting, which a flag takes back for one run", async () => {
    const config = temporaryFolder();
    writeFileSync(join(config, "settings.json"), '{ "sandbox": true }');
    const cwd = join(temporaryFolder(), "workspace");
    const run = async (...flags: string[]) => {
      await rondo(["run touch ../outside", "--model", "demo", "--yolo", ...flags], {
        cwd,
        env: { RONDO_CONFIG: config },
      });
      return existsSync(join(cwd, "../outside"));
    };
    expect([await run(), await run("--no-sandbox")]).toEqual([false, true]);
  });
});

test("without bubblewrap the command does not begin, and says how to get it", async () => {
  const end = await rondo(["hi", "--model", "demo", "--sandbox"], { env: { PATH: "/nonexistent" } });
  const wanted =
    process.platform === "linux"
      ? "rondo: --sandbox needs bubblewrap, which is not installed. Install it (apt install bubblewrap, dnf install bubblewrap), or leave the flag and the setting out.\n"
      : "rondo: --sandbox needs bubblewrap, which there is for Linux alone.\n";
  expect(end).toEqual({ code: 2, signal: null, stdout: "", stderr: wanted });
});

test("a system that forbids it is told in bubblewrap's own words", async () => {
  const bin = temporaryFolder();
  const script = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n";
  writeFileSync(join(bin, "bwrap"), script, { mode: 0o755 });
  const told = await sandboxProblem({ PATH: `${bin}:/bin:/usr/bin` });
  if (process.platform === "linux") expect(told).toContain("(bwrap: No permissions to create new namespace)");
});

test("its arguments: what can be written, what is guarded, what is hidden", () => {
  const place = { root: "/project", outputFolder: "/out", hidden: ["/home/me/.config/rondo", "/gone"] };
  const worktree = sandboxArguments(place, "/out/tmp", (path) => path === "/project/.git");
  expect(worktree.join(" ")).toMatch(/ --chdir \/project --ro-bind \/project\/.git \/project\/.git$/);
  const exists = (path: string) => !["/project/.rondo", "/gone"].includes(path);
  expect(sandboxArguments(place, "/out/tmp", exists).join(" ")).toBe(
    "--unshare-all --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /run --ro-bind-try /run/current-system " +
      "/run/current-system --bind /out/tmp /tmp --setenv TMPDIR /tmp --ro-bind /out /out --bind /project /project --chdir /project " +
      "--bind /project/.git /project/.git --ro-bind /project/.git/hooks /project/.git/hooks --ro-bind /project/.git/config /project/.git/config " +
      "--ro-bind /project/.git/config.worktree /project/.git/config.worktree --ro-bind /project/.git/commondir /project/.git/commondir " +
      "--ro-bind /project/.git/worktrees /project/.git/worktrees --tmpfs /home/me/.config/rondo",
  );
});
