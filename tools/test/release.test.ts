// The release command in a repository of its own, with git as it is and an npm that only writes down what it was asked for.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const tools = join(import.meta.dirname, "..");

/** `changeset version` makes version 0.2.0 of a package and its first changelog; the step named in FAILING is ended as by Control-C. */
const NPM = `#!/bin/sh
case "$*" in "$FAILING") kill -INT $PPID; exit 1 ;; esac
case "$*" in "run changeset -- version")
  echo '{ "version": "0.2.0" }' > packages/ai/package.json
  echo '# 0.2.0' > packages/ai/CHANGELOG.md
  rm .changeset/added.md ;;
esac
`;

function newRepository() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "rondo-release-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, bin, origin] = ["repository", "bin", "origin.git"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", env, stdio: "pipe" }).trim();
  const put = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text, { mode });
  };
  put("bin/npm", NPM, 0o755);
  put("repository/packages/ai/package.json", '{ "version": "0.1.0" }\n');
  put("repository/.changeset/added.md", "Something new.\n");
  put(".gitconfig", "[user]\nname = A Person\nemail = person@example.com\n[init]\ndefaultBranch = main\n");
  mkdirSync(join(root, "tools"));
  for (const name of ["release.mjs", "packed.mjs"]) copyFileSync(join(tools, name), join(root, "tools", name));
  git("init", "--quiet", "--bare", origin);
  git("init", "--quiet");
  git("remote", "add", "origin", origin);
  git("add", "--all");
  git("commit", "--quiet", "-m", "first");
  git("push", "--quiet", "origin", "main");
  const release = (args: string[] = [], failing = "none") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/release.mjs", ...args], {
      cwd: root,
      encoding: "utf8",
      env: { ...env, FAILING: failing },
    });
    return { code: status, stdout, stderr };
  };
  const atOrigin = () =>
    git("ls-remote", "origin")
      .split("\n")
      .map((line) => line.split("\t")[1]);
  return { root, git, release, atOrigin, read: (name: string) => readFileSync(join(root, name), "utf8") };
}

test.each(["run changeset -- version", "test", "run check:packages"])(
  "after a failure of `npm %s` everything is as it was, and a second run goes through",
  (failing) => {
    const { git, release, read } = newRepository();
    const { code, stderr } = release([], failing);
    expect([code, stderr]).toEqual([
      1,
      `\nThe versions, changelogs and changesets are again what they were.\n\nCommand failed: npm ${failing}\n`,
    ]);
    expect([git("status", "--porcelain"), git("tag"), read("packages/ai/package.json")]).toEqual([
      "",
      "",
      '{ "version": "0.1.0" }\n',
    ]);
    expect(release().stdout).toBe("\nTagged v0.2.0. To publish: npm run release -- --push\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("show", "--stat=60", "--format=%s", "v0.2.0^{commit}")).toMatch(
      /^release: 0\.2\.0\n\n \.changeset\/added\.md +\| 1 -\n packages\/ai\/CHANGELOG\.md +\| 1 \+\n packages\/ai\/package\.json +\| 2 \+-\n/,
    );
  },
);

test("what is not committed, or tagged already, is not touched", () => {
  const { root, git, release } = newRepository();
  writeFileSync(join(root, "mine"), "");
  expect(release().stderr).toBe("\nThere are changes that are not committed:\n\n?? mine\n");
  rmSync(join(root, "mine"));
  git("tag", "v0.2.0");
  expect(release().stderr).toBe(
    "\nThe versions, changelogs and changesets are again what they were.\n\nThere is a tag v0.2.0 already.\n",
  );
  expect(git("status", "--porcelain")).toBe("");
});

test("--push brings branch and tag to origin together, or says before the checks that it cannot", () => {
  const { git, release, atOrigin } = newRepository();
  const url = git("remote", "get-url", "origin");
  git("remote", "set-url", "origin", "/nowhere");
  expect(release(["--push"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/\nmain cannot be pushed to origin, for the reason above\.\n$/),
  });
  expect(release().code).toBe(0);
  expect(release(["--push"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /\nv0\.2\.0 is made but not pushed\. Run this again, or: git push --atomic origin HEAD:refs\/heads\/main refs\/tags\/v0\.2\.0\n$/,
    ),
  });
  git("remote", "set-url", "origin", url);
  expect(release().stderr).toBe("\nv0.2.0 is made. To publish it: npm run release -- --push\n");
  expect(release(["--push"]).stdout).toBe('\nPushed v0.2.0. The workflow "release" checks and publishes it.\n');
  expect(atOrigin()).toEqual(["HEAD", "refs/heads/main", "refs/tags/v0.2.0", "refs/tags/v0.2.0^{}"]);
  expect(git("rev-parse", "origin/main")).toBe(git("rev-parse", "HEAD"));
});
