import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide, isSearchForbidden } from "../../src/permissions/engine.ts";
import { PermissionGate } from "../../src/permissions/gate.ts";
import { isAbout, parseRule } from "../../src/permissions/rules.ts";
import { createTools } from "../../src/tools/index.ts";
import { temporaryFolder, temporaryWorkspace } from "../temporary-workspace.ts";

/** A workspace with a link out of it, a secret beside it, and a repository in it. */
function place(allow: string[] = [], deny: string[] = []) {
  const base = temporaryFolder();
  const root = join(base, "workspace");
  for (const folder of ["workspace/src", "workspace/.git/hooks", "outside", "home"])
    mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, "outside/secret"), "");
  writeFileSync(join(root, "src/a.ts"), "");
  symlinkSync("../outside", join(root, "link"));
  symlinkSync("../outside/new-file", join(root, "dangling"));
  symlinkSync("src", join(root, "inner-link"));
  const rules = [...deny.map((text) => parseRule("deny", text)), ...allow.map((text) => parseRule("allow", text))];
  const settings = { root, home: join(base, "home"), rules, yolo: false };
  return {
    base,
    settings,
    verdict: (tool: string, path?: string) => decide(settings, tool, path === undefined ? {} : { path }).verdict,
  };
}

test("looking inside the workspace is free, everything else is asked about", () => {
  const { verdict, base } = place();
  const free = [
    verdict("ls"),
    verdict("jobs"),
    verdict("read", "src/a.ts"),
    verdict("read", "inner-link/a.ts"),
    verdict("read", "src/../src/a.ts"),
  ];
  expect(free).toEqual(["allow", "allow", "allow", "allow", "allow"]);
  const asked: [string, string?][] = [
    ["read", "../outside/secret"],
    ["read", "src/../../outside/secret"],
    ["read", "link/secret"],
    ["read", "dangling"],
    ["read", join(base, "outside/secret")],
    ["read", "~/x"],
    ["read", "@../outside/secret"],
    ["ls", ".."],
    ["grep", "link"],
    ["write", "src/a.ts"],
    ["edit", "src/a.ts"],
    ["some_other_tool"],
  ];
  for (const [tool, path] of asked) expect([tool, path, verdict(tool, path)]).toEqual([tool, path, "ask"]);
});

test("a path leads where the system goes: a .. after a link, links in the targets of links, links to nothing", async () => {
  const { textOf, base, root, workspace } = temporaryWorkspace({ "deep/er/x": "", "deep/secret": "mine" });
  mkdirSync(join(base, "outside/deep"), { recursive: true });
  writeFileSync(join(base, "outside/secret"), "theirs");
  symlinkSync("../outside/deep", join(root, "link"));
  symlinkSync("link/../secret", join(root, "through"));
  symlinkSync("link/../new", join(root, "through-to-nothing"));
  symlinkSync("deep/er", join(root, "inner"));
  symlinkSync("../../new", join(root, "deep/er/up"));
  symlinkSync("loop", join(root, "loop"));
  const settings = { root, home: workspace.home, rules: [parseRule("allow", "write")], yolo: false };
  const verdict = (tool: string, path: string) => decide(settings, tool, { path }).verdict;
  // Names that are compared and names that are opened have lost the .. before.
  expect(verdict("read", join(root, "link/../deep/secret"))).toBe("allow");
  await expect(textOf("read", { path: `${root}/link/../secret` })).rejects.toThrow("There is no file");
  expect(await textOf("read", { path: `${root}/link/../deep/secret` })).toBe("mine");
  expect(verdict("read", "through")).toBe("ask");
  expect(verdict("write", "through-to-nothing")).toBe("ask");
  expect(verdict("write", "inner/up")).toBe("allow");
  await textOf("write", { path: "inner/up", content: "new" });
  expect([existsSync(join(root, "new")), existsSync(join(base, "new"))]).toEqual([true, false]);
  expect(verdict("write", `${"new/".repeat(100)}file`)).toBe("allow");
  expect(verdict("read", `${"n".repeat(300)}/x`)).toBe("allow");
  expect(() => verdict("read", "loop")).toThrow("more than 40 links");
});

test("a rule about a tool opens the workspace, not what is outside, and not what makes programs run", () => {
  const { verdict } = place(["edit", "write"]);
  expect(verdict("edit", "src/a.ts")).toBe("allow");
  expect(verdict("write", "new/folder/file")).toBe("allow");
  for (const path of [
    "../outside/x",
    "link/x",
    "dangling",
    ".git/hooks/pre-commit",
    "src/../.git/config",
    ".GIT/config",
  ])
    expect([path, verdict("write", path)]).toEqual([path, "ask"]);
});

test("a rule about a tool is not about a file with other hard links, which may be anywhere; one with a pattern is", () => {
  const { verdict, settings, base } = place(["edit", "write(shared)"]);
  linkSync(join(base, "outside/secret"), join(settings.root, "shared"));
  expect([verdict("edit", "shared"), verdict("write", "shared"), verdict("read", "shared")]).toEqual([
    "ask",
    "allow",
    "allow",
  ]);
  expect(decide(settings, "edit", { path: "shared" })).toEqual({
    verdict: "ask",
    reason: "shared has other hard links, which may be outside the workspace",
    suggestions: ["edit(shared)"],
  });
});

test("a rule about paths is compared with where the path really is", () => {
  const { verdict } = place(["write(src/**)", "read(../outside/*)", "write(.git/info/*)"]);
  expect(verdict("write", "src/deep/x.ts")).toBe("allow");
  expect(verdict("write", "inner-link/x.ts")).toBe("allow");
  expect(verdict("write", "other.ts")).toBe("ask");
  expect(verdict("read", "link/secret")).toBe("allow");
  expect(verdict("write", ".git/info/exclude")).toBe("allow");
  expect(verdict("write", ".git/config")).toBe("ask");
});

test("what is denied stays denied, whatever allows it", () => {
  const { verdict, settings } = place(["read", "write(**)"], ["read(src/secret*)", "write(**/*.lock)"]);
  expect(verdict("read", "src/secret.txt")).toBe("deny");
  expect(verdict("read", "inner-link/secret.txt")).toBe("deny");
  expect(verdict("write", "a/b.lock")).toBe("deny");
  expect(decide({ ...settings, yolo: true }, "read", { path: "src/secret" }).verdict).toBe("deny");
  expect(decide({ ...settings, yolo: true }, "write", { path: "../outside/x" }).verdict).toBe("allow");
});

test("a folder that is forbidden is forbidden with all that is in it; an allowed one ends in a slash", () => {
  const denied = place(["read", "write"], ["read(src)", "write(src/)", `read(..//outside)`]).verdict;
  expect([
    denied("read", "src/a.ts"),
    denied("read", "src"),
    denied("write", "src/deep/x"),
    denied("read", "srcs/x"),
  ]).toEqual(["deny", "deny", "deny", "allow"]);
  expect(denied("read", "link/secret")).toBe("deny");
  const allowed = place(["write(src/)", "write(a)"]).verdict;
  expect([allowed("write", "src/deep/x"), allowed("write", "a/x"), allowed("write", "a")]).toEqual([
    "allow",
    "ask",
    "allow",
  ]);
});

test.each(["", "edit(", "edit()", "(x)", "bash(x", "a b"])("the rule %j is a usage error", (text) => {
  expect(() => parseRule("allow", text)).toThrow("is not understood");
});

test("the gate refuses where nobody can be asked, says why, and remembers it", async () => {
  const { settings } = place();
  const gate = new PermissionGate(settings);
  const call = { type: "toolCall" as const, id: "1", name: "write", arguments: {} };
  const context = { toolCall: call, args: { path: "src/a.ts", content: "" } } as Parameters<typeof gate.check>[0];
  expect(await gate.check(context)).toEqual({
    block: true,
    reason:
      "Refused: write was not run, because write changes files, and nobody here could be asked.\nThe person can " +
      "allow it with --allow 'write(src/a.ts)'. Do not try the same in another way; go on without it or say what you need.",
  });
  expect(gate.refusals).toEqual([
    {
      tool: "write",
      args: { path: "src/a.ts", content: "" },
      reason: "write changes files",
      suggestions: ["write(src/a.ts)"],
    },
  ]);
});

test("a path that leads elsewhere when the call runs than when it was allowed is left alone", async () => {
  const { root, base, workspace, call } = temporaryWorkspace({ "folder/a": "old" });
  const gate = new PermissionGate({ root, home: workspace.home, rules: [parseRule("allow", "write")], yolo: false });
  const write = gate.guard(createTools(workspace).find(({ name }) => name === "write")!);
  const args = { path: "folder/a", content: "new" };
  const toolCall = { type: "toolCall" as const, id: "1", name: "write", arguments: args };
  const context = { toolCall, args } as unknown as Parameters<typeof gate.check>[0];
  expect(await gate.check(context)).toBeUndefined();
  await call("bash", { command: "mv folder ../outside && ln -s ../outside folder" });
  await expect(write.execute("1", args)).rejects.toThrow("Nothing was done: the path leads elsewhere");
  expect(readFileSync(join(base, "outside/a"), "utf8")).toBe("old");
  expect((await gate.check(context))?.block).toBe(true);
});

test("the gate asks the person where there is one", async () => {
  const { settings } = place();
  const asked: string[] = [];
  const gate = new PermissionGate(settings, {
    askPerson: async (tool, _args, { reason }) => {
      asked.push(`${tool}: ${reason}`);
      return asked.length === 1;
    },
  });
  const call = { type: "toolCall" as const, id: "1", name: "bash", arguments: {} };
  const context = { toolCall: call, args: { command: "ls" } } as Parameters<typeof gate.check>[0];
  expect(await gate.check(context)).toBeUndefined();
  expect((await gate.check(context))?.block).toBe(true);
  expect(asked).toEqual(["bash: running commands can change things", "bash: running commands can change things"]);
  expect(gate.refusals.map(({ reason }) => reason)).toEqual(["the person said no"]);
});

describe("the rules that a decision suggests are for this call and no other", () => {
  const suggested = (tool: string, args: Record<string, unknown>, allowed: string[] = []) =>
    decide(place(allowed).settings, tool, args).suggestions;

  test.each([
    ["npm test", ["bash(npm test)"]],
    [" npm test\n", ["bash(npm test)"]],
    ["git commit -m 'x (y)'", ["bash(git commit -m 'x (y)')"]],
    ["npm test && npm run lint", ["bash(npm test)", "bash(npm run lint)"]],
    ["echo one\necho two; echo one", ["bash(echo one)", "bash(echo two)"]],
    [
      'git log --format=\'%h "%s"\' | head -3 | grep "it\'s"',
      ["bash(git log '--format=%h \"%s\"')", "bash(head -3)", 'bash(grep "it\'s")'],
    ],
    ["echo x > y", []],
    ["ls && echo $(x)", []],
    // With rules of their own they would run whatever any pipe hands them.
    ["cat script | sh", []],
    ["cat script | python3 -", []],
    ["ls | xargs rm", []],
    ["make && python3 check.py", ["bash(make)", "bash(python3 check.py)"]],
    // As a rule it would be about every command of git.
    ["git:*", []],
    ["git push:*", []],
    ["ls && git push:*", []],
  ])("for the command %j they are %j", (command, wanted) => {
    expect(suggested("bash", { command })).toEqual(wanted);
    if (wanted.length === 0) return;
    const rules = wanted.map((rule) => parseRule("allow", rule));
    expect(decide({ ...place().settings, rules }, "bash", { command }).verdict).toBe("allow");
    expect(decide({ ...place().settings, rules }, "bash", { command: `${command.trim()} more` }).verdict).toBe("ask");
  });

  test("what is allowed already needs no rule, and where no rule would help there is none", () => {
    const command = "npm test && npm run lint";
    expect(suggested("bash", { command }, ["bash(npm test)"])).toEqual(["bash(npm run lint)"]);
    const rules = [parseRule("deny", "bash(rm:*)")];
    expect(decide({ ...place().settings, rules }, "bash", { command: "timeout 5 npm test" }).suggestions).toEqual([]);
  });

  test.each([
    ["src/new.ts", "write(src/new.ts)"],
    ["src/../src/new.ts", "write(src/new.ts)"],
    [".git/hooks/x", "write(.git/hooks/x)"],
    // A name that would be read as a pattern.
    ["**", ""],
    ["src/?.ts", ""],
    // What a terminal does not show, or shows as something else.
    ["src/a\nb", ""],
    ["src/\u001b[2Jb", ""],
    ["src/a\u202egpj.exe", ""],
    // A folder of that name, not the home.
    ["./~/.bashrc", "write(./~/.bashrc)"],
  ])("for the path %j it is %j", (path, rule) => {
    const { settings } = place();
    expect(decide(settings, "write", { path }).suggestions).toEqual(rule === "" ? [] : [rule]);
    if (rule === "") return;
    const rules = [parseRule("allow", rule)];
    expect(decide({ ...settings, rules }, "write", { path }).verdict).toBe("allow");
    expect(decide({ ...settings, rules }, "write", { path: `${path}x` }).verdict).toBe("ask");
    expect(decide({ ...settings, rules }, "write", { path: "~/.bashrc" }).verdict).toBe("ask");
  });
});

test("folders that are named as readable can be looked into and not written", () => {
  const { settings, base } = place();
  const open = { ...settings, readable: [join(base, "outside")] };
  const path = join(base, "outside/secret");
  expect(decide(open, "read", { path }).verdict).toBe("allow");
  expect(decide(open, "write", { path }).verdict).toBe("ask");
  expect(decide(open, "read", { path: join(base, "outside/../home/x") }).verdict).toBe("ask");
  const denied = { ...open, rules: [parseRule("deny", `read(${base}/outside/*)`)] };
  expect(decide(denied, "read", { path }).verdict).toBe("deny");
});

test("addresses are no paths: nothing is fetched, and a file address leads nowhere", () => {
  const { settings, verdict, base } = place();
  // Below the workspace, where there is no such folder.
  for (const path of ["http://169.254.169.254/latest", "file:///etc/passwd"])
    expect(verdict("read", path)).toBe("allow");
  expect(decide(settings, "read", { path: `file://${base}/outside/secret` }).verdict).toBe("allow");
});

test("an answer may be remembered: for the session, or with a word to whoever keeps it for the project", async () => {
  const { settings } = place();
  const kept: string[] = [];
  const answers = [
    { allow: true, remember: "session" as const },
    { allow: true, remember: "project" as const },
  ];
  const gate = new PermissionGate(settings, {
    askPerson: async () => answers.shift() ?? false,
    keepForProject: async (rules) => void kept.push(...rules),
  });
  const check = async (command: string) => {
    const call = { type: "toolCall" as const, id: "1", name: "bash", arguments: {} };
    return (
      (await gate.check({ toolCall: call, args: { command } } as Parameters<typeof gate.check>[0]))?.block ?? false
    );
  };
  const blocked: boolean[] = [];
  for (const command of ["one", "one", "two", "two", "three"]) blocked.push(await check(command));
  expect(blocked).toEqual([false, false, false, false, true]);
  expect([settings.rules.map(({ text }) => text), kept]).toEqual([["bash(one)", "bash(two)"], ["bash(two)"]]);
});

test("a star in a rule stands for any part of a tool's name", () => {
  const rules = [
    parseRule("deny", "mcp__files__*_file"),
    parseRule("ask", "*__send"),
    parseRule("allow", "mcp__files__*"),
  ];
  const verdict = (tool: string) => decide({ root: "/w", home: "/h", rules, yolo: false }, tool, {}).verdict;
  const tools = ["mcp__files__list", "mcp__files__write_file", "mcp__files__send", "mcp__files2__list", "mcp__files__"];
  expect(tools.map(verdict)).toEqual(["allow", "deny", "ask", "ask", "allow"]);
  const any = (verdict: "allow" | "deny") => ({ root: "/w", home: "/h", rules: [parseRule(verdict, "*")], yolo: true });
  expect(decide(any("deny"), "bash", { command: "ls" }).verdict).toBe("deny");
  expect(decide(any("deny"), "read", { path: "x" }).verdict).toBe("deny");
  expect(decide({ ...any("allow"), yolo: false }, "bash", { command: "ls > x" }).verdict).toBe("allow");
  expect(isAbout({ tool: `${"*a".repeat(30)}b` }, "a".repeat(64))).toBe(false);
  expect([isAbout({ tool: "a*a" }, "a"), isAbout({ tool: "a*b*b" }, "ab")]).toEqual([false, false]);
});

test("a pattern for a tool that takes none would never match, so it is a usage error", () => {
  for (const text of ["mcp__files__read(x)", "jobs(1)", "ed*(src/**)"])
    expect(() => parseRule("deny", text)).toThrow("has a pattern, which there is for bash, read, ls, grep");
});

test("what may not be read is not found by a search either", async () => {
  const { textOf, workspace, root } = temporaryWorkspace({ ".env": "word=1", "a.ts": "word", "secret/b": "word" });
  symlinkSync("../.env", join(root, "secret/link"));
  const rules = [parseRule("deny", "read(.env)"), parseRule("ask", "read(secret/**)")];
  const settings = { root, home: workspace.home, rules, yolo: false };
  const verdicts = [".env", "secret/link", "secret/b", "a.ts", "."].map(
    (path) => decide(settings, "grep", { path, pattern: "word" }).verdict,
  );
  expect(verdicts).toEqual(["deny", "deny", "ask", "allow", "allow"]);
  workspace.isSearchForbidden = (path) => isSearchForbidden(settings, path);
  const wanted = "a.ts:1:word\n[Matches in 2 files are left out: a rule forbids reading them.]";
  expect(await textOf("grep", { pattern: "word" })).toBe(wanted);
});
