import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Settings that the official SDKs read by themselves; none of them may reach a call or print a word. */
const SETTINGS = {
  ANTHROPIC_API_KEY: "env-key-1",
  ANTHROPIC_AUTH_TOKEN: "env-key-2",
  ANTHROPIC_BASE_URL: "http://elsewhere.invalid",
  ANTHROPIC_LOG: "debug",
  OPENAI_API_KEY: "env-key-3",
  OPENAI_BASE_URL: "http://elsewhere.invalid",
  OPENAI_LOG: "debug",
  GOOGLE_API_KEY: "env-key-4",
  GEMINI_API_KEY: "env-key-5",
  GOOGLE_GENAI_API_KEY: "env-key-6",
  GOOGLE_GEMINI_BASE_URL: "http://elsewhere.invalid",
  GOOGLE_GENAI_USE_VERTEXAI: "true",
  GOOGLE_CLOUD_PROJECT: "project",
};

it("no SDK prints, or takes a key or an address from the environment behind our back", async () => {
  const child = fork(fileURLToPath(new URL("quiet-child.mjs", import.meta.url)), {
    env: { PATH: process.env["PATH"], ...SETTINGS },
    execArgv: [],
    silent: true,
  });
  let printed = "";
  child.stdout?.on("data", (data) => (printed += data));
  child.stderr?.on("data", (data) => (printed += data));
  let report: unknown;
  child.on("message", (message) => (report = message));
  await new Promise((resolve) => child.once("close", resolve));
  expect(printed).toBe("");
  expect(report).toEqual({
    kinds: ["truncated", "truncated", "truncated", "truncated"],
    requests: [
      "http://127.0.0.1:9/v1/messages Bearer own-key-1  ",
      "http://127.0.0.1:9/v1/chat/completions Bearer own-key-1  ",
      "http://127.0.0.1:9/v1/responses Bearer own-key-1  ",
      "http://127.0.0.1:9/v1beta/models/claude-2.1:streamGenerateContent?alt=sse   own-key-1",
    ],
  });
});
