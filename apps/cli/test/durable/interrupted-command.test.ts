// An interruption in the middle of a command that a durable run started: both end at once, and the run is over.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rondo } from "../command.ts";
import { temporaryFolder } from "../temporary-workspace.ts";
import { ALLOW, logIn, serveTask, taskFolder } from "./task-model.ts";

test("an interruption in the middle of a command ends the command and the run", { timeout: 180_000 }, async () => {
  const base = temporaryFolder();
  const cwd = taskFolder(base);
  writeFileSync(join(cwd, "slow"), "");
  const model = await serveTask(1);
  const end = await rondo(["--durable", ...model.flags, ...ALLOW, "work"], {
    cwd,
    env: { RONDO_DATA: join(base, "data") },
    onStart: (child) => {
      const timer = setInterval(() => {
        if (logIn(cwd).length === 0) return;
        clearInterval(timer); // A second one would end the process without order.
        child.kill("SIGINT");
      }, 5);
    },
  });
  expect([end.code, model.requests.length, logIn(cwd)]).toEqual([130, 1, [1]]);
  expect(end.stderr).toContain("Ended because the run was aborted");
});
