// The program of docs/acp.md, as it stands there.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { commandLine } from "../../command.ts";
import { temporaryFolder } from "../../temporary-workspace.ts";

const PAGE = new URL("../../../../../docs/acp.md", import.meta.url);
const PACKAGES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

test("the example of the documentation drives the command", async () => {
  const base = temporaryFolder();
  const [, program = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
  writeFileSync(join(base, "program.mjs"), program);
  symlinkSync(PACKAGES, join(base, "node_modules"));
  mkdirSync(join(base, "bin"));
  // A rondo on the path whose model is the demo.
  const start = (await commandLine()).map((word) => `'${word}'`).join(" ");
  writeFileSync(join(base, "bin/rondo"), `#!/bin/sh\nexec ${start} "$@" --model demo\n`);
  chmodSync(join(base, "bin/rondo"), 0o755);
  const env = { PATH: `${join(base, "bin")}:${process.env["PATH"] ?? ""}`, HOME: base, TMPDIR: base };
  const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: base, env });
  expect(stdout).toMatch(/^I am Rondo's demo[\s\S]*\nend_turn\n$/);
});
