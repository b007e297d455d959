// One run of the command: settings, a session, a mode, and how it ended. Everything heavy is imported here and below, never by
// main.ts before it is needed.
import { homedir } from "node:os";
import { Writable } from "node:stream";
import type { RunEvent } from "@rondo/durable";
import { checkDurableFlags, wantsCutRun } from "./durable/check-flags.ts";
import { type Ending, UsageError } from "./exit-codes.ts";
import type { CommandLine } from "./flags/parse.ts";
import { createJsonWriter, sessionLine } from "./modes/json.ts";
import { createPrinter } from "./modes/print.ts";
import { formatLine } from "./presentation/json-lines.ts";
import { type RunEnd, reportEnd } from "./presentation/report-end.ts";
import { judgeAnswer } from "./prompt/answer-schema.ts";
import { assemblePrompt, type Prompt } from "./prompt/assemble-prompt.ts";
import { readPipedInput } from "./prompt/piped-input.ts";
import { refuseUnknownCommand, resolveSlashCommand } from "./prompt/slash-commands.ts";
import { createSession, type Session, type SessionSettings } from "./session/create-session.ts";
import type { SessionShelf } from "./session/session-shelf.ts";
import { type Interruption, watchSignals } from "./session/watch-signals.ts";
import { askTrust } from "./settings/ask-trust.ts";
import { dataFolder } from "./settings/data-folder.ts";
import { readSettings } from "./settings/read-settings.ts";
import { selectModel } from "./settings/select-model.ts";
import { endWithoutTerminal } from "./terminal/lost-terminal.ts";
import { Output } from "./terminal/output.ts";
import { screenObstacle } from "./terminal/screen-obstacle.ts";

/** What every mode works with. */
interface Run {
  commandLine: CommandLine;
  settings: SessionSettings;
  answer: Output;
  progress: Output;
  interruption: AbortController;
}

/** Runs the command to its end, and says how it ended. Mistakes of the person are thrown as a `UsageError`. */
export async function runCommand(commandLine: CommandLine): Promise<Ending> {
  checkDurableFlags(commandLine);
  endWithoutTerminal();
  const interruption = new AbortController();
  const readerLeft: Interruption = "terminated";
  const answer = new Output(process.stdout, process.env, () => interruption.abort(readerLeft));
  const progress = new Output(process.stderr, process.env);
  if (commandLine.value("mode") === "acp") {
    const { startAcp } = await import("./modes/acp/start.ts");
    return startAcp(commandLine, interruption, progress);
  }
  const atTerminal = isInteractive(commandLine);
  if (atTerminal) await askTrustHere(answer);
  // On a terminal the session to resume is chosen from a list.
  const choosesLater = atTerminal && commandLine.value("resume") === "";
  const wish = choosesLater ? { openStore: (shelf: SessionShelf) => shelf.begin() } : {};
  const run: Run = {
    commandLine,
    settings: await readSettings(commandLine, process, wish),
    answer,
    progress,
    interruption,
  };
  if (commandLine.value("mode") === "rpc") return serve(run);
  if (!atTerminal) return promptOnce(run);
  const { startInteractive } = await import("./modes/interactive/start.ts");
  return startInteractive(commandLine, run.settings, interruption);
}

async function askTrustHere(output: Output): Promise<void> {
  const { env } = process;
  const home = env["HOME"] || homedir();
  const place = { root: process.cwd(), home, dataFolder: dataFolder(env, home) };
  await askTrust(place, process.stdin, output);
}

/** A person at a terminal who did not ask for one answer alone. */
function isInteractive(commandLine: CommandLine): boolean {
  return !wantsOneAnswer(commandLine) && screenObstacle(process) === undefined;
}

function wantsOneAnswer(commandLine: CommandLine): boolean {
  return commandLine.has("print") || commandLine.has("durable") || commandLine.value("mode") !== undefined;
}

async function promptOnce(run: Run): Promise<Ending> {
  const { commandLine, settings, answer, progress, interruption } = run;
  const prompt = wantsCutRun(commandLine) ? undefined : await readPrompt(commandLine, settings, progress);
  await announceModel(settings, progress);
  const session = await createSession(settings);
  await announceSession(settings, session, progress);
  const stopWatching = watchSignals(interruption, session);
  try {
    const isJson = commandLine.value("mode") === "json";
    if (isJson) await answer.write(sessionLine(settings.selection.model, settings.root));
    // An answer that must fit a schema is looked at before it goes out.
    const shown = settings.answerSchema ? new Output(nowhere(), {}) : answer;
    const end = await answerPrompt(run, session, prompt, shown);
    await answer.endLine();
    const ending = await reportEnd(end, session, progress, interruption.signal);
    if (!settings.answerSchema || (ending !== "done" && ending !== "refused")) return ending;
    const judged = judgeAnswer(lastText(session), settings.answerSchema);
    if ("problem" in judged) {
      await progress.write(`rondo: The answer does not fit the schema: ${progress.escape(judged.problem)}.\n`);
      return "schema";
    }
    if (!isJson) await answer.write(`${judged.json}\n`);
    return ending;
  } finally {
    stopWatching();
    session.close();
  }
}

/** Runs the prompt in this process alone, or durably; `shown` has the answer for people. */
async function answerPrompt(
  { commandLine, settings, answer, progress, interruption: { signal } }: Run,
  session: Session,
  prompt: Prompt | undefined,
  shown: Output,
): Promise<RunEnd | undefined> {
  const isJson = commandLine.value("mode") === "json";
  const print = createPrinter(shown, progress);
  if (prompt && !commandLine.has("durable")) {
    session.agent.subscribe(isJson ? createJsonWriter(answer) : print);
    return runPrompt(session, prompt, signal);
  }
  const [{ runDurably }, { eventLine }] = await Promise.all([
    import("./durable/own-run.ts"),
    import("./durable/event-line.ts"),
  ]);
  const show = isJson ? (event: RunEvent) => answer.write(formatLine(eventLine(event))) : print;
  const tell = (text: string) => progress.write(`rondo: ${progress.escape(text)}\n`);
  return runDurably({ settings, session, prompt, show, tell, signal });
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function lastText({ agent }: Session): string {
  const last = agent.state.messages.findLast((message) => message.role === "assistant");
  return last?.content.map((block) => (block.type === "text" ? block.text : "")).join("") ?? "";
}

async function serve({ settings, answer, progress, interruption }: Run): Promise<Ending> {
  const [{ serveRpc }, { PermissionQuestions }] = await Promise.all([
    import("./modes/rpc/server.ts"),
    import("./modes/rpc/permission-questions.ts"),
  ]);
  await announceModel(settings, progress);
  const questions = new PermissionQuestions(answer);
  const session = await createSession(settings, questions.ask);
  await announceSession(settings, session, progress);
  const stopWatching = watchSignals(interruption, session);
  const findModel = (model: string) =>
    selectModel(
      { model, provider: undefined, baseUrl: undefined, thinking: session.agent.state.thinkingLevel },
      settings.sources,
    );
  try {
    await serveRpc({
      agent: session.agent,
      keeper: session.keeper,
      slashCommands: settings.commands,
      chain: session.chain,
      questions,
      input: process.stdin,
      output: answer,
      workspace: settings.root,
      findModel,
      signal: interruption.signal,
    });
    return interruption.signal.aborted ? (interruption.signal.reason as Interruption) : "done";
  } finally {
    stopWatching();
    session.close();
  }
}

async function announceModel({ selection: { reason } }: SessionSettings, progress: Output): Promise<void> {
  if (reason === undefined) return;
  await progress.write(`${progress.style("dim", `rondo: using ${progress.escape(reason)}`)}\n`);
}

/** What was wrong with the session's file, and from now on what happens to the conversation besides what is said. */
async function announceSession(
  settings: SessionSettings,
  { keeper, notices }: Session,
  progress: Output,
): Promise<void> {
  const notice = (text: string) => progress.write(`rondo: ${progress.escape(text)}\n`);
  for (const text of [...settings.notices, ...notices, ...keeper.notices]) await notice(text);
  keeper.onNotice = (text) => void notice(text);
}

async function readPrompt(commandLine: CommandLine, settings: SessionSettings, progress: Output): Promise<Prompt> {
  const { words } = commandLine;
  const mustWait = words.includes("-") || words.length === 0;
  const piped = await readPipedInput(process.stdin, mustWait);
  if (piped.kind === "silent")
    await progress.write(
      "rondo: nothing came through standard input for a second, so it is left out. Give - to wait for it.\n",
    );
  const assembled = await assemblePrompt(words, piped.kind === "text" ? piped.text : undefined, settings);
  // What comes through a pipe alone is data, whatever it begins with.
  if (words.some((word) => word !== "-")) refuseUnknownCommand(assembled.text, settings);
  const prompt = { ...assembled, text: (await resolveSlashCommand(assembled.text, settings.commands)) ?? "" };
  const obstacle = wantsOneAnswer(commandLine) ? undefined : screenObstacle(process);
  if (prompt.text === "" && prompt.images.length === 0)
    throw new UsageError(
      `There is no prompt${obstacle === undefined ? "" : `, and no screen to write one on: ${obstacle}`}. Write what you want: rondo "fix the failing test". rondo --help says more.`,
    );
  return prompt;
}

async function runPrompt(
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
