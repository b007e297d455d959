import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSkills } from "../../src/context/skills.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

/** A folder with these skills: the name of the folder, and the head of its SKILL.md. What was read, without the folder's path. */
function read(skills: Record<string, string>) {
  const root = temporaryFolder();
  for (const [folder, head] of Object.entries(skills)) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, "SKILL.md"), `---\n${head}\n---\n1. …\n`);
  }
  const found = readSkills([root]);
  return {
    skills: found.skills.map(({ name, description }) => [name, description]),
    problems: found.problems.map((problem) => problem.replace(`${root}/`, "")),
  };
}

test("a skill by the rules, with all that the format knows, is read without a word", () => {
  const head = `name: pdf-forms
description: Fills forms. Use it when somebody has a form.
license: MIT
compatibility: Needs qpdf
metadata:
  author: somebody
allowed-tools: Bash(rm:*) Read`;
  expect(read({ "pdf-forms": head })).toEqual({
    skills: [["pdf-forms", "Fills forms. Use it when somebody has a form."]],
    problems: [],
  });
});

test("one that breaks a rule but can be used is used, and the mistake is told", () => {
  const { skills, problems } = read({
    a: "name: Not-Small\ndescription: x",
    b: "name: other\ndescription: x",
    c: `name: c\ndescription: ${"long ".repeat(300)}`,
    d: "name: d\ndescription: Use it when: somebody says so # and then",
    e: "name: two--hyphens\ndescription: x",
  });
  expect(skills.map(([name, description]) => [name, description?.length])).toEqual([
    ["Not-Small", 1],
    ["other", 1],
    ["c", 1024],
    ["d", 40],
    ["two--hyphens", 1],
  ]);
  expect(problems).toEqual([
    expect.stringMatching(/^a\/SKILL\.md: the name of a skill has small letters.*"Not-Small" has others\.$/),
    "b/SKILL.md: the skill is called other, so its folder should be as well.",
    "c/SKILL.md: the description is cut after 1024 characters.",
    expect.stringMatching(/^e\/SKILL\.md: .*"two--hyphens" has others\.$/),
  ]);
});

test("one without a name or a description, or whose head is no YAML, is left out", () => {
  const { skills, problems } = read({ a: "name: a", b: "description: b", c: "name: [", d: "name: 1\ndescription: x" });
  expect([skills, problems.length]).toEqual([[], 4]);
  expect(problems[0]).toBe("a/SKILL.md: a skill needs a name and a description at its head, so it is left out.");
  expect(problems[2]).toMatch(/^c\/SKILL\.md: the skill is left out: /);
});
