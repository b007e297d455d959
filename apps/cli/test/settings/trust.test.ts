// Which projects are trusted and with which content, also when several processes say so at once.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { describeProject } from "../../src/settings/describe-project.ts";
import { findProject } from "../../src/settings/project.ts";
import { Trust } from "../../src/settings/trust.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

test("of several who change the file at once none loses what another wrote", async () => {
  const folder = join(temporaryFolder(), "data");
  const project = (number: number) => ({ folder: `/p${number}`, files: [], fingerprint: `f${number}` });
  const numbers = [1, 2, 3, 4, 5, 6];
  await Promise.all(numbers.map((number) => new Trust(folder).add(project(number))));
  expect(numbers.map((number) => new Trust(folder).covers(project(number)))).toEqual(numbers.map(() => true));
  await Promise.all([new Trust(folder).remove("/p1"), new Trust(folder).refuse(project(2))]);
  const trust = new Trust(folder);
  expect([
    trust.covers(project(1)),
    trust.covers(project(2)),
    trust.isDecided(project(2)),
    trust.covers(project(3)),
  ]).toEqual([false, false, true, true]);
});

/** A repository that brings these files along. */
function repository(files: Record<string, string>) {
  const root = join(temporaryFolder(), "repository");
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  };
  for (const [name, content] of Object.entries({ ".git/HEAD": "", ...files })) write(name, content);
  const project = () => findProject(root, "/nobody") ?? { folder: root, files: [], fingerprint: undefined };
  return { root, write, project };
}

test("what is behind a link is told, and is a part of what is trusted", async () => {
  const { root, write, project } = repository({ "elsewhere/hook.js": "one", ".rondo/prompts/review.md": "Look." });
  symlinkSync("../elsewhere", join(root, ".rondo/extensions"));
  symlinkSync("..", join(root, ".rondo/loop"));
  expect(await describeProject(project())).toContain("runs the extension .rondo/extensions/hook.js");
  const before = project().fingerprint;
  expect([before, project().fingerprint]).toEqual([expect.any(String), before]);
  write("elsewhere/hook.js", "two");
  expect(project().fingerprint).not.toBe(before);
});

test("so are the modules and scripts that the settings name", () => {
  const settings = {
    extensions: ["../tools/own.js"],
    mcpServers: { files: { command: "node", args: ["tools/server.js"] } },
  };
  const { write, project } = repository({
    ".rondo/settings.json": JSON.stringify(settings),
    "tools/own.js": "one",
    "tools/server.js": "one",
    "tools/other.js": "one",
  });
  const fingerprints = [project().fingerprint];
  for (const name of ["other", "own", "server"]) {
    write(`tools/${name}.js`, "two");
    fingerprints.push(project().fingerprint);
  }
  expect(fingerprints.map((each) => fingerprints.indexOf(each))).toEqual([0, 0, 2, 3]);
});

test("what has no end is not looked at, and what leads everywhere is not trusted", () => {
  const { root, project } = repository({ ".rondo/prompts/a.md": "" });
  if (process.platform !== "win32") execFileSync("mkfifo", [join(root, ".rondo/settings.json")]);
  symlinkSync("/dev/zero", join(root, ".rondo/prompts/b.md"));
  expect(project().fingerprint).toEqual(expect.any(String));
  for (let number = 0; number < 8; number++) {
    mkdirSync(join(root, `.rondo/${number}`));
    for (let other = 0; other < 8; other++) symlinkSync(`../${other}`, join(root, `.rondo/${number}/${other}`));
  }
  expect(project().fingerprint).toBeUndefined();
});
