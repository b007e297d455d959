// Rules that are remembered for a project by several writers at once: none is lost, and whoever reads sees a whole file.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProjectRules } from "../../src/permissions/project-rules.ts";
import { connect } from "../modes/rpc/connect.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

test("of writers in one process none loses what another wrote, and readers see whole files", async () => {
  const folder = join(temporaryFolder(), "config");
  const [one, two] = [temporaryFolder(), temporaryFolder()];
  const writers = await Promise.all([one, one, two].map((root) => ProjectRules.read(folder, root)));
  const writes = writers.flatMap((writer, index) =>
    [1, 2, 3].map((number) => writer.add([`bash(echo ${index} ${number})`, "edit"])),
  );
  let isDone = false;
  const reading = (async () => {
    for (; !isDone; await new Promise((resolve) => setImmediate(resolve))) await ProjectRules.read(folder, one);
  })();
  await Promise.all(writes);
  isDone = true;
  await reading;
  const texts = async (root: string) => (await ProjectRules.read(folder, root)).rules.map(({ text }) => text).sort();
  const echoes = (index: number) => [1, 2, 3].map((number) => `bash(echo ${index} ${number})`);
  expect(await texts(one)).toEqual([...echoes(0), ...echoes(1), "edit"]);
  expect(await texts(two)).toEqual([...echoes(2), "edit"]);
  expect(existsSync(join(folder, "permissions.json.lock"))).toBe(false);
});

test("nor of two processes", async () => {
  const answer = { onPermissionQuestion: () => ({ allow: true, remember: "project" as const }) };
  const first = await connect(answer);
  const second = await connect({ ...answer, cwd: first.cwd, env: first.env });
  const wanted: string[] = [];
  for (const number of [1, 2])
    await Promise.all(
      [first, second].map(({ client }, index) => {
        wanted.push(`bash(echo ${index} ${number})`);
        return client.run(`run echo ${index} ${number}`);
      }),
    );
  const file = join(first.home, ".config/rondo/permissions.json");
  const kept: Record<string, string[]> = JSON.parse(readFileSync(file, "utf8"));
  expect(kept[first.cwd]?.sort()).toEqual(wanted.sort());
});
