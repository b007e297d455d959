// A run is over when its listeners are done: a process that ends right after it loses nothing that they were writing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentEvent } from "@rondo/agent";
import { expect, test } from "vitest";
import { bundleChild } from "../../../tools/bundle-child.ts";
import { brief } from "./support.ts";

const here = dirname(fileURLToPath(import.meta.url));

test("a process that exits when prompt() or waitForIdle() resolves has written every event, whole", async () => {
  const script = await bundleChild(dirname(here), join(here, "slow-listeners-child.ts"));
  const folder = mkdtempSync(join(tmpdir(), "rondo-listeners-"));
  const run = async (waitFor: string) => {
    const file = join(folder, waitFor);
    const child = spawn(process.execPath, [script, file, waitFor], { stdio: ["ignore", "inherit", "inherit"] });
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    return readFileSync(file, "utf8").trimEnd().split("\n");
  };
  for (const lines of await Promise.all([run("prompt"), run("idle")])) {
    expect(lines.at(-1)).toBe("settled");
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as AgentEvent);
    expect(events.map(brief)).toEqual([
      "agent_start",
      "turn_start",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end completed",
    ]);
    expect(events.at(-1)).toMatchObject({ messages: [{}, { content: [{ text: "x".repeat(1_000_000) }] }] });
  }
  rmSync(folder, { recursive: true });
  rmSync(script);
});
