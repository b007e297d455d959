// A folder of a hundred thousand files: what comes back is bounded, and says what it leaves out.
import { execFileSync } from "node:child_process";
import type { AgentTool } from "@rondo/agent";
import { expect, test } from "vitest";
import { createFindTool } from "../../src/tools/find.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const COUNT = 100_000;
const FIRST = "f000001";

test("ls and find of a hundred thousand files are bounded, with ripgrep and without", async () => {
  const { workspace, root, textOf } = temporaryWorkspace();
  execFileSync("bash", ["-c", `seq -f 'f%06g' ${COUNT} | xargs touch`], { cwd: root });
  const listed = (await textOf("ls", {})).split("\n");
  expect([listed[0], listed.length, listed.at(-1)]).toEqual([
    `${FIRST}  0 B`,
    501,
    "[500 of 100000 entries. Use find with a pattern for the others.]",
  ]);
  const found = (await textOf("find", { pattern: "f*" })).split("\n");
  expect([found[0], found.length, found.at(-1)]).toEqual([
    FIRST,
    1001,
    "[The first 1000 files. There are more: use a narrower pattern.]",
  ]);
  expect(await textOf("find", { pattern: "f099999" })).toBe("f099999");
  const byItself = createFindTool(workspace, async () => undefined) as unknown as AgentTool;
  const { content } = await byItself.execute("call_1", { pattern: "f*" } as never);
  expect(content).toEqual([{ type: "text", text: found.join("\n") }]);
});
