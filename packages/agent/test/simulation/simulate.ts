// One simulated life of an agent: a few runs in a random world, checked event by event. A seed decides everything.
import { isDeepStrictEqual } from "node:util";
import { Agent, type AgentEvent, type AgentMessage } from "@rondo/agent";
import type { Message } from "@rondo/ai";
import { checkHistory, EventChecker } from "./event-checker.ts";
import { Random } from "./random.ts";
import { APIS, requestViolations } from "./request-check.ts";
import { MODEL } from "./scripted-model.ts";
import { scriptedTools } from "./scripted-tools.ts";
import { GRACE_MS, World } from "./scripted-world.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** When a person would give up on a run that hangs. */
const PATIENCE_MS = 100_000;

/** Lives one life. Throws, with the seed, at the first thing that must not be. */
export async function simulate(seed: number): Promise<void> {
  const random = new Random(seed);
  const clock = new VirtualClock();
  const world = new World(random, clock);
  const checker = new EventChecker();
  const agent = new Agent({
    streamFn: world.streamFn,
    initialState: { model: MODEL, tools: scriptedTools(world) },
    ...world.options(),
  });
  world.agent = agent;
  let turnAfterAbort = false;
  agent.subscribe((event, signal) => {
    try {
      checker.check(event);
      if (event.type === "turn_start") turnAfterAbort = signal.aborted && checker.log.at(-2) !== "agent_start";
      if (event.type === "agent_end" && event.reason === "aborted" && turnAfterAbort)
        world.complain("an aborted run began another turn");
      checkState(agent, checker, world);
      checkUsage(event, world);
    } catch (error) {
      world.complain((error as Error).message);
    }
  });
  for (let count = random.between(0, 3); count > 0; count--) agent.subscribe(world.listener());
  try {
    for (let run = random.between(1, 3); run > 0; run--) await liveOneRun(world, checker);
    const history = agent.state.messages as Message[];
    for (const violation of await requestViolations(history, random.pick(APIS))) world.complain(violation);
  } catch (error) {
    world.complain((error as Error).message);
  }
  if (world.complaints.length === 0) return;
  const complaints = [...new Set(world.complaints)].join("\n  ");
  throw new Error(`Seed ${seed}:\n  ${complaints}\n  Events: ${checker.log.slice(-40).join(", ")}`);
}

async function liveOneRun(world: World, checker: EventChecker): Promise<void> {
  const { agent, clock, random } = world;
  const runsBefore = checker.runs;
  const running = begin(world, runsBefore);
  let abortedAt: number | undefined;
  const abort = () => {
    abortedAt ??= clock.now();
    agent.abort("enough");
  };
  for (let count = random.between(0, 3); count > 0; count--)
    clock.setTimeout(() => world.say(), random.between(0, 5_000));
  if (random.chance(0.3)) clock.setTimeout(abort, random.between(0, 5_000));
  const giveUp = clock.setTimeout(abort, PATIENCE_MS);
  await clock.runUntil(running);
  clock.clearTimeout(giveUp);
  await running;
  if (abortedAt !== undefined && clock.now() > abortedAt + 5 * GRACE_MS)
    world.complain(`an abort took ${clock.now() - abortedAt} ms`);
  if (agent.state.isStreaming || agent.state.pendingToolCalls.size > 0) world.complain("the agent is not idle");
  if (!checker.idle || checker.runs !== runsBefore + 1) world.complain("the run has no agent_end");
  checkHistory(agent.state.messages);
  const prompts = agent.state.messages.map(textOf).filter((text) => text.startsWith("prompt"));
  if (prompts.length !== world.prompts)
    world.complain(`${world.prompts} prompts, but ${prompts.length} in the history`);
}

/** A run may reject for one reason: a listener threw at its agent_end. */
async function begin(world: World, runs: number): Promise<void> {
  const { agent, random, complain } = world;
  const last = agent.state.messages.at(-1);
  const mayContinue = last !== undefined && (last.role !== "assistant" || agent.hasQueuedMessages());
  const goOn = mayContinue && random.chance(0.5);
  const text = `prompt ${runs}`;
  if (!goOn) world.prompts++;
  const prompt = { role: "user" as const, content: text, timestamp: 0 };
  await (goOn ? agent.continue() : agent.prompt(prompt)).catch((error: unknown) => {
    if (error !== "trouble" && (error as Error).message !== "trouble") complain(`the run rejected: ${error}`);
  });
}

function checkState(agent: Agent, checker: EventChecker, world: World): void {
  const { messages } = agent.state;
  if (
    messages.length !== checker.history.length ||
    messages.some((message, index) => message !== checker.history[index])
  )
    throw new Error("the state's history is not what the events wrote");
  if (!isDeepStrictEqual(agent.state.pendingToolCalls, checker.runningCalls))
    throw new Error("the state's pending calls are not those under way");
  if ((agent.state.streamingMessage !== undefined) !== checker.messageOpen)
    throw new Error("the state's streaming message is there when it must not be, or the other way round");
  if (agent.state.isStreaming !== true) throw new Error("the agent calls itself idle in a run");
  const { steering, followUps } = agent.queuedMessages;
  const counts = new Map<string, number>(world.said.map((text) => [text, 0]));
  for (const message of [...messages, ...steering, ...followUps]) {
    const text = textOf(message);
    const count = counts.get(text);
    if (count !== undefined) counts.set(text, count + 1);
  }
  for (const [text, count] of counts) if (count !== 1) throw new Error(`"${text}" is there ${count} times`);
}

/** The end of a run tells all that was used: by its own model, by sub-agents, by compaction. */
function checkUsage(event: AgentEvent, { tally }: World): void {
  if (event.type === "agent_start") tally.tokens = 0;
  tally.hear(event);
  if (event.type !== "agent_end") return;
  const told = event.usage.totalTokens ?? 0;
  if (!tally.allows(told)) throw new Error(`the run used ${tally.tokens} tokens and told of ${told}`);
}

function textOf(message: AgentMessage): string {
  return message.role === "user" && typeof message.content === "string" ? message.content : "";
}
