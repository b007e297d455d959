// One run of the command: settings out of flags and environment, a session, a mode, and how it ended. Everything heavy is
// imported here and below, never by main.ts before it is needed.
import { homedir } from "node:os";
import type { AgentEvent } from "@rondo/agent";
import type { ThinkingLevel } from "@rondo/ai";
import { type Ending, UsageError } from "./exit-codes.ts";
import type { CommandLine } from "./flags/parse.ts";
import { describeArguments } from "./modes/describe-call.ts";
import { createJsonWriter, sessionLine } from "./modes/json.ts";
import { createPrinter } from "./modes/print.ts";
import type { Refusal } from "./permissions/gate.ts";
import { parseRule, type Rule } from "./permissions/rules.ts";
import { assemblePrompt, type Prompt } from "./prompt/assemble-prompt.ts";
import { readPipedInput } from "./prompt/piped-input.ts";
import { createSession, type Session, type SessionSettings } from "./session/create-session.ts";
import { chooseModel } from "./settings/choose-model.ts";
import { Output } from "./terminal/output.ts";

const DEMO_PAUSE_MS = 25;

type RunEnd = Extract<AgentEvent, { type: "agent_end" }>;

/** Runs the command to its end, and says how it ended. Mistakes of the person are thrown as a `UsageError`. */
export async function runCommand(commandLine: CommandLine): Promise<Ending> {
  const interruption = new AbortController();
  const answer = new Output(process.stdout, process.env, () => interruption.abort("terminated"));
  const progress = new Output(process.stderr, process.env);
  const settings = readSettings(commandLine);
  const prompt = await readPrompt(commandLine, settings, progress);
  const { model, reason } = settings.choice;
  if (reason !== undefined)
    await progress.write(`${progress.style("dim", `rondo: using ${progress.escape(reason)}`)}\n`);

  const session = createSession(settings);
  const isJson = commandLine.value("mode") === "json";
  session.agent.subscribe(isJson ? createJsonWriter(answer) : createPrinter(answer, progress));
  if (isJson) await answer.write(sessionLine(model, settings.root));
  const stopWatching = watchSignals(interruption);
  try {
    const end = await promptOnce(session, prompt, interruption.signal);
    await answer.endLine();
    return await reportEnd(end, session, progress, interruption.signal);
  } finally {
    stopWatching();
    session.close();
  }
}

function readSettings(commandLine: CommandLine): SessionSettings {
  const rules: Rule[] = (["deny", "ask", "allow"] as const).flatMap((verdict) =>
    commandLine.values(verdict).map((text) => parseRule(verdict, text)),
  );
  const timeoutSeconds = commandLine.number("timeout");
  const choice = chooseModel(
    {
      model: commandLine.value("model"),
      provider: commandLine.value("provider"),
      baseUrl: commandLine.value("base-url"),
      thinking: commandLine.value("thinking") as ThinkingLevel | undefined,
    },
    process.env,
  );
  return {
    root: process.cwd(),
    home: homedir(),
    env: process.env,
    choice,
    apiKey: commandLine.value("api-key"),
    rules,
    yolo: commandLine.has("yolo"),
    turnsMax: commandLine.number("max-turns"),
    durationMaxMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    demoPauseMs: process.stdout.isTTY ? DEMO_PAUSE_MS : 0,
  };
}

async function readPrompt(
  { words }: CommandLine,
  place: { root: string; home: string },
  progress: Output,
): Promise<Prompt> {
  const mustWait = words.includes("-") || words.length === 0;
  const piped = await readPipedInput(process.stdin, mustWait);
  if (piped.kind === "silent")
    await progress.write(
      "rondo: nothing came through standard input for a second, so it is left out. Give - to wait for it.\n",
    );
  const prompt = await assemblePrompt(words, piped.kind === "text" ? piped.text : undefined, place);
  if (prompt.text === "" && prompt.images.length === 0)
    throw new UsageError(
      'There is no prompt. Write what you want: rondo "fix the failing test". rondo --help says more.',
    );
  return prompt;
}

/** Interrupt and hang-up abort the run, which then ends in order. A second interrupt ends the process at once, as usual. */
function watchSignals(interruption: AbortController): () => void {
  const onInterrupt = () => interruption.abort("interrupted");
  const onEnd = () => interruption.abort("terminated");
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onEnd);
  process.once("SIGHUP", onEnd);
  return () => {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onEnd);
    process.off("SIGHUP", onEnd);
  };
}

async function promptOnce(
  { agent }: Session,
  { text, images }: Prompt,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  let end: RunEnd | undefined;
  agent.subscribe((event) => {
    if (event.type === "agent_end") end = event;
  });
  const abort = () => agent.abort();
  signal.addEventListener("abort", abort);
  if (!signal.aborted) await agent.prompt(text, images);
  signal.removeEventListener("abort", abort);
  return end;
}

async function reportEnd(
  end: RunEnd | undefined,
  { gate, agent }: Session,
  progress: Output,
  signal: AbortSignal,
): Promise<Ending> {
  if (gate.refusals.length > 0) await reportRefusals(gate.refusals, progress);
  if (signal.aborted) return signal.reason === "interrupted" ? "interrupted" : "terminated";
  const fail = (text: string) => progress.write(`rondo: ${progress.escape(text)}\n`);
  switch (end?.reason) {
    case "completed":
    case "terminated":
    case "stopped":
      return gate.refusals.length > 0 ? "refused" : "done";
    case "budget":
      await fail(end.errorMessage ?? "A limit was reached.");
      return "budget";
    case "empty":
      await fail("The model's last answer was empty.");
      return "modelError";
    default: {
      const last = agent.state.messages.findLast((message) => message.role === "assistant");
      await fail(end?.errorMessage ?? "The run ended without an answer.");
      return last?.error?.kind === "auth" ? "auth" : "modelError";
    }
  }
}

async function reportRefusals(refusals: Refusal[], progress: Output): Promise<void> {
  const count = refusals.length === 1 ? "1 tool call was refused" : `${refusals.length} tool calls were refused`;
  await progress.write(`rondo: ${count}:\n`);
  for (const { tool, args, reason, suggestion } of refusals) {
    const remedy = suggestion === "" ? "" : `  Allow it with --allow '${suggestion}'`;
    await progress.write(`  ${progress.escape(`${tool} ${describeArguments(args)}: ${reason}.${remedy}`)}\n`);
  }
}
