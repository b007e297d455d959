// Runs every example as it stands, against a local server that speaks the providers' wire formats.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { replayInOrder, startReplayServer } from "@rondo/test-fixtures";
import { expect, onTestFinished, test } from "vitest";
import { main as agent } from "../agent.ts";
import { main as chat } from "../chat.ts";
import { main as customMessage } from "../custom-message.ts";
import { main as customProvider } from "../custom-provider.ts";
import { main as fallbackChain } from "../fallback-chain.ts";
import { main as recordAndReplay } from "../record-and-replay.ts";
import { main as structuredOutput } from "../structured-output.ts";
import { main as swapModels } from "../swap-models.ts";
import { main as toolUse } from "../tool-use.ts";
import { call, inTurn, modelAt, paper, say, served } from "./scripts.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const sonnetAt = (server: { url: string }) => modelAt(server, "anthropic", "claude-sonnet-5-5");
const gptAt = (server: { url: string }) => modelAt(server, "openai", "gpt-6.1-sol");
const geminiAt = (server: { url: string }) => modelAt(server, "google", "gemini-pro-latest");

test("chat.ts answers each line, and the model reads what came before", async () => {
  const output = new PassThrough();
  await served(
    ({ messages }) => say(`Heard ${messages.length}.`),
    (server) => chat(sonnetAt(server), Readable.from(["How are you?\n", "And now?\n"]), output),
  );
  output.end();
  expect(await text(output)).toBe("> Heard 1.\n> Heard 3.\n> ");
});

test("tool-use.ts runs good calls and answers bad ones with words", async () => {
  const { lines, print } = paper();
  const calls = [call("1", "get_weather", { city: "Lisbon" }), call("2", "get_weather", { town: "Oslo" })];
  await served(
    inTurn([{ content: calls }, { content: [call("3", "get_weather", { city: "Oslo" })] }, say("In Lisbon.")]),
    (server) => toolUse(gptAt(server), print),
  );
  expect(lines).toEqual([
    'get_weather {"city":"Lisbon"}: 21 °C',
    expect.stringMatching(/^get_weather \{"town":"Oslo"\}: Error: .*do not fit its parameters/),
    'get_weather {"city":"Oslo"}: 4 °C',
    "In Lisbon.",
    "done",
  ]);
});

test("swap-models.ts goes through three APIs in one conversation", async () => {
  const { lines, print } = paper();
  const poem = ["The sea is wide,", "and so is the sky,", "and nobody asks them why."];
  await served(
    ({ messages }) => say(poem[messages.filter(({ role }) => role === "assistant").length] as string),
    async (server) => {
      const models = [sonnetAt(server), gptAt(server), geminiAt(server)];
      await swapModels(models, print);
      expect(lines).toEqual(models.map((model, index) => `${model.name}: ${poem[index]}`));
    },
  );
});

test("structured-output.ts prints the fields of the answer", async () => {
  const { lines, print } = paper();
  const recipe = { title: "Caldo verde", minutes: 35, ingredients: ["kale", "potatoes"] };
  await served(
    () => say(JSON.stringify(recipe)),
    (server) => structuredOutput(gptAt(server), print),
  );
  expect(lines).toEqual(["Caldo verde, 35 minutes", "- kale", "- potatoes"]);
});

test("fallback-chain.ts tries again, then asks the next model", async () => {
  const { lines, print } = paper();
  const busy = { status: 529, headers: { "retry-after": "0" }, body: '{"error":{"message":"Overloaded"}}' };
  const down = await startReplayServer(replayInOrder([busy, busy, busy]));
  onTestFinished(() => down.close());
  await served(
    () => say("Hello."),
    (server) => fallbackChain(sonnetAt(down), [gptAt(server)], print),
  );
  expect(lines.map((line) => line.replace(/: .*verloaded.*/, ""))).toEqual([
    "attempt 2",
    "attempt 3",
    "Claude Sonnet 5.5 → GPT-6.1 Sol",
    "gpt-6.1-sol: Hello.",
  ]);
});

test("record-and-replay.ts records once, and passes from then on without a server", async () => {
  const { lines, print } = paper();
  const temporary = mkdtempSync(join(tmpdir(), "rondo-examples-"));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const file = join(temporary, "translate.json");
  await served(inTurn([say("mer")]), (server) => recordAndReplay(sonnetAt(server), file, print));
  await recordAndReplay(sonnetAt({ url: "http://127.0.0.1:1" }), file, print);
  expect(lines).toEqual([`passed, and recorded in ${file}`, "passed, from the recording"]);
});

test("agent.ts runs its two tools and takes in what is typed meanwhile", async () => {
  const { lines, print } = paper();
  const input = new PassThrough();
  const asked: string[][] = [];
  await served(
    ({ messages }) => {
      asked.push(messages.map((message) => `${message.role}: ${message.text.split("\n")[0]}`));
      if (asked.length > 1) return say("One loop, any model.");
      input.write("In one sentence.\n");
      return { content: [call("1", "list_files", { path: "docs" }), call("2", "read_file", { path: "../README.md" })] };
    },
    (server) => agent(sonnetAt(server), print, input),
  );
  expect(asked[1]).toEqual([
    "user: What is this project about?",
    "assistant: ",
    expect.stringMatching(/^toolResult: \S+\.md$/),
    "toolResult: # Rondo",
    "user: In one sentence.",
  ]);
  expect(lines.slice(0, 3)).toEqual(["→ list_files docs", "→ read_file ../README.md", "One loop, any model."]);
  expect(lines[3]).toMatch(/^completed, \$0\.\d+$/);
});

test("agent.ts is a program of thirty lines", () => {
  const lines = readFileSync(join(folder, "agent.ts"), "utf8").split("\n");
  expect(lines.filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length).toBeLessThanOrEqual(30);
});

test("custom-provider.ts speaks its own protocol", async () => {
  const { lines, print } = paper();
  await customProvider(print);
  expect(lines).toEqual(["Polly: Polly wants a cracker"]);
});

test("custom-message.ts shows the model its own kind of message, and keeps it as it is", async () => {
  const { lines, print } = paper();
  const asked: string[] = [];
  await served(
    ({ messages }) => {
      asked.push(...messages.map((message) => message.text));
      return say("Yes, two of them.");
    },
    (server) => customMessage(geminiAt(server), print),
  );
  expect(asked.join("")).toBe("<sensor>It is 34 °C in the greenhouse.</sensor>Do I have to open a window?");
  expect(lines[0]).toBe("sensor: 34 °C");
  expect(lines.slice(1).map((line) => line.split(":")[0])).toEqual(["user", "assistant"]);
});

test("the README of the examples names each of them", () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const named = [...readme.matchAll(/^\| \[(.+?)\]\(\1\)/gm)].map((match) => match[1]);
  const programs = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  expect(named.sort()).toEqual([...programs, "browser/main.ts"].sort());
});
