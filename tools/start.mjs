// The tour behind `npm start`: the real command mends a failing test, first with the built-in demo, then once through each
// provider's SDK against a local server that speaks its wire format. The demo is a script and no language model, there and here.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { demoReply } from "../apps/cli/dist/demo/script.js";
import { replayScript, startReplayServer } from "../test-fixtures/dist/index.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const rondo = join(root, "apps/cli/dist/main.js");
const example = join(root, "test-fixtures/workspaces/rondo-form");
const task = "Fix the failing test.";
const permissions = ["--allow", "edit", "--allow", "bash(npm test:*)"];
const providers = [
  { sdk: "@anthropic-ai/sdk", model: "anthropic/claude-sonnet-5-5" },
  { sdk: "openai", model: "openai/gpt-6.1-sol" },
  { sdk: "@google/genai", model: "google/gemini-pro-latest" },
];

const { NO_COLOR, FORCE_COLOR } = process.env;
const colour = !NO_COLOR && (FORCE_COLOR === undefined ? process.stdout.isTTY : FORCE_COLOR !== "0");
const style = (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
const say = (text = "") => console.log(text);
const heading = (text) => say(`\n${style(["bold", "magenta"], `♪ ${text}`)}\n`);

const folders = [];
const removeFolders = () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
process.once("exit", removeFolders);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** The tour keeps its sessions to itself, and goes by nobody's settings. */
const kept = mkdtempSync(join(tmpdir(), "rondo-tour-kept-"));
folders.push(kept);
const env = { ...process.env, RONDO_DATA: join(kept, "data"), RONDO_CONFIG: join(kept, "config") };

/** A fresh copy of the example, whose test fails. */
function newWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), "rondo-tour-"));
  folders.push(folder);
  cpSync(example, folder, { recursive: true });
  return folder;
}

/** Runs a program to its end. With `onOutput` its standard output goes there, else all it says is shown. */
function run(command, args, cwd, onOutput) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ["ignore", onOutput ? "pipe" : "inherit", onOutput ? "pipe" : "inherit"],
  });
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", onOutput);
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, errors })));
}

/** Whether the example's tests pass, by a look of our own. */
async function testsPass(workspace) {
  const { code } = await run(process.execPath, ["--test"], workspace, () => {});
  return code === 0;
}

async function demo() {
  heading("One task, with the built-in demo (a script, no language model)");
  const workspace = newWorkspace();
  say(style("dim", `A small project with a failing test was put into ${workspace}\n`));
  const shown = permissions.map((word) => (word.includes("(") ? `'${word}'` : word)).join(" ");
  say(`${style("dim", "$")} rondo --model demo ${shown} "${task}"\n`);
  const { code } = await run(process.execPath, [rondo, "--model", "demo", ...permissions, task], workspace);
  const passed = code === 0 && (await testsPass(workspace));
  say(
    passed
      ? `\n${style("green", "✔")} The test passes.`
      : `\n${style("red", "✖")} The task was not done (exit code ${code}).`,
  );
  return passed;
}

async function throughSdk({ sdk, model }, server) {
  const workspace = newWorkspace();
  const before = server.requests.length;
  const startedMs = performance.now();
  let lines = "";
  const args = [
    "--model",
    model,
    "--base-url",
    server.url,
    "--api-key",
    "none-needed",
    "--mode",
    "json",
    ...permissions,
    task,
  ];
  const { code, errors } = await run(process.execPath, [rondo, ...args], workspace, (text) => {
    lines += text;
  });
  const events = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const tools = events.filter((event) => event.type === "tool_execution_start").map((event) => event.toolName);
  const requests = server.requests.slice(before);
  const lastTest = events.findLast((event) => event.type === "tool_execution_end" && event.toolName === "bash");
  const passed = code === 0 && requests.length > 0 && lastTest?.isError === false;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const mark = passed ? style("green", "✔") : style("red", "✖");
  say(`${mark} ${style("bold", `--model ${model.padEnd(28)}`)} ${tools.join(" → ")}`);
  const path = requests[0]?.path.split("?")[0];
  say(style("dim", `  ${sdk}: ${requests.length} requests to ${path ?? "nowhere"}, ${seconds} s\n`));
  if (!passed) say(errors);
  return passed;
}

async function sdks() {
  heading("The same task through three SDKs");
  const server = await startReplayServer(replayScript(demoReply), { chunks: { seed: 1 } });
  say(
    style(
      "dim",
      `A local server at ${server.url} speaks each provider's wire format, with the same script behind it.\n`,
    ),
  );
  const passed = [];
  try {
    for (const provider of providers) passed.push(await throughSdk(provider, server));
  } finally {
    await server.close();
  }
  return passed.every(Boolean);
}

function goOn() {
  heading("With a model of your own");
  const command = `node ${join("apps", "cli", "dist", "main.js")}`;
  say(`  export ANTHROPIC_API_KEY=…   ${style("dim", "# or OPENAI_API_KEY, or GEMINI_API_KEY")}`);
  say(`  ${command} "what is this project?"`);
  say(`  ${command} --model openai/gpt-6.1-sol:high "fix the failing test"`);
  say(`\n${style("dim", `Changes are refused unless you allow them: ${command} --help`)}\n`);
}

const worked = [await demo(), await sdks()].every(Boolean);
goOn();
process.exitCode = worked ? 0 : 1;
