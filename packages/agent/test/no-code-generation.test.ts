// Edge runtimes refuse eval and new Function: nothing that a tool turn needs may make code from strings.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { replayScript, startReplayServer, type WireRequest } from "@rondo/test-fixtures";
import { expect, it } from "vitest";
import { bundleChild } from "../../../tools/bundle-child.ts";

const here = dirname(fileURLToPath(import.meta.url));
/** Where the SDKs are found, which a bundle of the sources leaves outside. */
const MODEL_LAYER = join(here, "../../ai");

const GOOD = { path: "src/main", lines: "[1,2]", mode: { encoding: "utf-8" }, tree: { children: [{ children: [] }] } };
const BAD = { path: "no capitals: A", lines: [0], mode: "text" };

/** A good call, then one that does not fit, then an answer. */
function answer({ messages }: WireRequest) {
  const calls = messages.filter(({ role }) => role === "assistant").length;
  const call = (input: Record<string, unknown>) => ({
    content: [{ type: "toolCall" as const, id: `call_${calls}`, name: "read", arguments: input }],
  });
  return [call(GOOD), call(BAD)][calls] ?? { content: [{ type: "text" as const, text: "Done." }] };
}

it("a tool turn on any API makes no code from strings", async () => {
  const script = await bundleChild(MODEL_LAYER, join(here, "no-code-generation-child.ts"));
  const server = await startReplayServer(replayScript(answer));
  const child = spawn(process.execPath, ["--disallow-code-generation-from-strings", script, server.url], {
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await server.close();
  expect(complaints).toBe("");
  const turn = [
    JSON.stringify({ ...GOOD, lines: [1, 2] }),
    "some text",
    expect.stringMatching(/do not fit its parameters.*\n- path: .*\n- lines/),
    "stop",
  ];
  expect(JSON.parse(printed)).toEqual({
    codeFromStrings: "EvalError",
    "anthropic-messages": turn,
    "openai-completions": turn,
    "openai-responses": turn,
    "google-generative-ai": turn,
  });
});
