// RPC mode: requests as lines on standard input, responses and events as lines on standard output, until the input ends. A bad
// line is answered with an error and changes nothing. Requests are taken one after the other, in the order in which they come.
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Agent, AgentMessage } from "@rondo/agent";
import { prepareContents } from "../../images/prepare-image.ts";
import type { ModelChain } from "../../models/model-chain.ts";
import { formatLine, withoutPartials } from "../../presentation/json-lines.ts";
import { resolveSlashCommand, type SlashCommand } from "../../prompt/slash-commands.ts";
import type { SessionKeeper } from "../../session/session-keeper.ts";
import type { ModelSelection } from "../../settings/select-model.ts";
import type { Output } from "../../terminal/output.ts";
import { ClientCommands } from "./client-commands.ts";
import { LINE_LENGTH_MAX, LineReader } from "./line-reader.ts";
import type { PermissionQuestions } from "./permission-questions.ts";
import {
  RPC_VERSION,
  type RpcCommand,
  type RpcCommands,
  type RpcEvent,
  type RpcLine,
  type RpcRequest,
} from "./protocol.ts";
import { readRequest } from "./read-request.ts";
import { answerAboutSession, refuseWhileRunning } from "./session-requests.ts";

/** What RPC mode works with. */
export interface RpcServerOptions {
  agent: Agent;
  keeper: SessionKeeper;
  /** What can be said by its name. */
  slashCommands: SlashCommand[];
  chain: ModelChain;
  questions: PermissionQuestions;
  input: Readable;
  output: Output;
  workspace: string;
  /** Finds the model that a text means; rejects with an error for people if there is none. */
  findModel: (name: string) => Promise<ModelSelection>;
  /** Ends the run, and with it the mode. */
  signal: AbortSignal;
}

/** Requests that may wait for their turn; no more are read until one has had it. */
const WAITING_MAX = 100;

/** What may take its time: whoever waits for it must be able to abort it. */
const BESIDE_OTHERS: ReadonlySet<RpcCommand> = new Set(["bash", "compact"]);

/** Serves until the input ends and the run under way has finished, or until the signal aborts. */
export async function serveRpc(options: RpcServerOptions): Promise<void> {
  const { agent, questions, input, output, workspace, signal } = options;
  const send = (line: RpcLine) => output.write(formatLine(line));
  await send({ type: "ready", version: RPC_VERSION, model: modelName(agent), workspace });
  agent.subscribe((event) => send({ type: "event", event: withoutPartials(event) as RpcEvent }));

  let queue = Promise.resolve();
  let waiting = 0;
  // Whoever asks without reading the answers is not listened to until they are read, so that nothing piles up here.
  const enqueue = (work: () => Promise<void>) => {
    if (++waiting === WAITING_MAX) input.pause();
    queue = queue.then(work).then(() => {
      if (waiting-- === WAITING_MAX) input.resume();
    });
  };
  const fail = (id: string | null, command: string | null, error: string) =>
    send({ type: "response", id, command, ok: false, error });
  const commands = new ClientCommands(agent);
  const beside = new Set<Promise<void>>();
  const respond = async (request: RpcRequest) => {
    const { id, type: command } = request;
    try {
      const { data, afterwards } = await answer(request, options, commands);
      await send({ type: "response", id, command, ok: true, ...(data !== undefined && { data }) });
      afterwards?.();
    } catch (error) {
      await fail(id, command, error instanceof Error ? error.message : String(error));
    }
  };
  const take = async (line: string) => {
    const read = readRequest(line);
    if (!("request" in read)) return fail(read.id, read.command, read.error);
    const response = respond(read.request);
    if (!BESIDE_OTHERS.has(read.request.type)) return response;
    beside.add(response);
    void response.then(() => beside.delete(response));
  };
  const reader = new LineReader(
    (line) => enqueue(() => take(line)),
    () => enqueue(() => fail(null, null, `The line is longer than ${LINE_LENGTH_MAX} characters.`)),
  );
  const stop = () => {
    questions.withdraw();
    commands.stop();
    agent.abort();
    input.destroy();
  };
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  input.on("data", (bytes: Buffer) => reader.write(bytes));
  // An input that fails, or is closed from here, has ended like any other.
  await finished(input, { writable: false }).catch(() => undefined);
  reader.end();
  await queue;
  // Nobody is left who could answer.
  questions.close();
  await Promise.all([agent.waitForIdle(), ...beside]);
  signal.removeEventListener("abort", stop);
}

type Answer = { data?: RpcCommands[RpcCommand]["data"]; afterwards?: () => void };

async function answer(
  request: RpcRequest,
  { agent, chain, keeper, slashCommands, questions, findModel, workspace, signal }: RpcServerOptions,
  commands: ClientCommands,
): Promise<Answer> {
  switch (request.type) {
    case "prompt": {
      refuseWhileRunning(agent, "Use steer or follow_up, or abort it first.");
      const said = await resolveSlashCommand(request.message, slashCommands);
      if (said === undefined) return {};
      const images = request.images && (await prepareContents(request.images));
      // The response goes out before the first event of the run.
      return { afterwards: () => void agent.prompt(said, images).catch(() => {}) };
    }
    case "steer":
      agent.steer(userMessage(request.message));
      return {};
    case "follow_up":
      agent.followUp(userMessage(request.message));
      return {};
    case "abort": {
      const hadWork = commands.stop() || agent.state.isStreaming;
      questions.withdraw();
      agent.abort();
      const hadNotes = await keeper.stopNotes();
      await agent.waitForIdle();
      return { data: { aborted: hadWork || hadNotes } };
    }
    case "set_model": {
      const selection = await findModel(request.model);
      agent.state.model = selection.model;
      agent.state.thinkingLevel = selection.thinking;
      chain.set([selection, ...selection.fallbacks]);
      return { data: { model: modelName(agent) } };
    }
    case "set_thinking":
      agent.state.thinkingLevel = request.level;
      return {};
    case "get_state": {
      const { thinkingLevel, isStreaming, messages } = agent.state;
      const state = { thinking: thinkingLevel, isRunning: isStreaming, messageCount: messages.length, workspace };
      const session = { session: keeper.id, ...(keeper.name !== undefined && { name: keeper.name }) };
      return { data: { model: modelName(agent), ...state, ...session } };
    }
    case "get_messages":
      return { data: { messages: agent.state.messages } };
    case "permission_answer": {
      const { id: _id, type: _type, questionId, ...given } = request;
      return { data: { taken: questions.answer(questionId, given) } };
    }
    case "bash":
      return { data: await commands.run(request) };
    default:
      return answerAboutSession(request, keeper, signal);
  }
}

function modelName(agent: Agent): string {
  return `${agent.state.model.provider}/${agent.state.model.id}`;
}

function userMessage(content: string): AgentMessage {
  return { role: "user", content, timestamp: Date.now() };
}
