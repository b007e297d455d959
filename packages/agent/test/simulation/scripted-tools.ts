// The tools of a random world: some wait, throw, hang or hand over rubbish, some must not run side by side, and one is an
// agent of its own, with everything that can go wrong in one.
import {
  type AgentOptions,
  type AgentTool,
  type AgentToolDetails,
  type AgentToolResult,
  agentTool,
  type RunScope,
} from "@rondo/agent";
import { Type } from "@rondo/ai";
import { checkHistory, EventChecker } from "./event-checker.ts";
import { MODEL } from "./scripted-model.ts";
import type { World } from "./scripted-world.ts";

const PATH = Type.Object({ path: Type.String() });
// biome-ignore lint/suspicious/noExplicitAny: details belong to the tool
export type PathTool = AgentTool<typeof PATH, any>;
/** How many agents may stand above one another. */
const DEPTH_MAX = 2;

/** A set of tools for one agent; what two of its calls may not touch at once is its own. */
export function scriptedTools(world: World, depth = 1): PathTool[] {
  const base = { label: "tool", description: "a tool", parameters: PATH, execute: execute(world) };
  const locks = new Locks(world);
  return [
    { ...base, name: "plain" },
    { ...base, name: "locked", resources: ({ path }) => ({ writes: [path] }), execute: locks.guard("writes") },
    { ...base, name: "peek", resources: ({ path }) => ({ reads: [path] }), execute: locks.guard("reads") },
    { ...base, name: "serial", ...(world.random.chance(0.2) ? { executionMode: "sequential" as const } : {}) },
    { ...base, name: "patient", interruptible: true },
    ...(depth <= DEPTH_MAX && world.random.chance(0.2) ? [helper(world, depth)] : []),
  ];
}

function execute(world: World): PathTool["execute"] {
  const { random, clock } = world;
  return async (id, _args, signal, onUpdate) => {
    world.forbidAfterAbort("a tool start");
    if (random.chance(0.3)) onUpdate?.(result("half way"));
    if (random.chance(0.1)) clock.setTimeout(() => onUpdate?.(result("late")), random.between(0, 30_000));
    if (random.chance(0.3)) await waitFor(world, random.between(0, 3_000), signal);
    if (random.chance(world.trouble))
      return random.pick([undefined, null, {}, { content: 3 }, circular()]) as AgentToolResult;
    const done = await world.maybe(result(`result of ${id}`));
    return random.chance(0.1) ? { ...done, terminate: true } : done;
  };
}

/** Waits; stops with the signal as a good tool does, or ignores it. */
async function waitFor({ random, clock }: World, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (!signal || random.chance(0.3)) return clock.sleep(delayMs);
  await new Promise<void>((resolve, reject) => {
    clock.setTimeout(resolve, delayMs);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Complains of calls at the same time that said they collide. One that was told to stop does not count any more. */
class Locks {
  readonly #world: World;
  readonly #held = new Set<{ path: string; mode: "reads" | "writes" }>();

  constructor(world: World) {
    this.#world = world;
  }

  guard(mode: "reads" | "writes"): PathTool["execute"] {
    const work = execute(this.#world);
    return async (id, args, signal, onUpdate) => {
      const lock = { path: args.path, mode };
      const inTheWay = [...this.#held].some(
        (other) => other.path === lock.path && (mode === "writes" || other.mode === "writes"),
      );
      if (inTheWay) this.#world.complain(`two calls at once on ${args.path}`);
      this.#held.add(lock);
      signal?.addEventListener("abort", () => this.#held.delete(lock));
      try {
        return await work(id, args, signal, onUpdate);
      } finally {
        this.#held.delete(lock);
      }
    };
  }
}

/** An agent as a tool. Its events, its history and its end are checked like those of the agent above it. */
function helper(world: World, depth: number): PathTool {
  return {
    ...agentTool({ name: "helper", description: "an agent", parameters: PATH, agent: () => ({}) }),
    execute: async (id, params, signal, onUpdate, scope) => {
      world.forbidAfterAbort("a sub-agent's start");
      const checker = new EventChecker();
      const inner = agentTool({
        name: "helper",
        description: "an agent",
        parameters: PATH,
        prompt: ({ path }) => `look at ${path}`,
        agent: () => world.maybe(helperOptions(world, depth, signal, scope)),
      });
      const hear = (update: AgentToolResult<AgentToolDetails>) => {
        const { event } = update.details;
        if (event) world.check("a sub-agent", () => checker.check(event));
        if (event) world.tally.hear(event);
        onUpdate?.(update);
      };
      world.tally.open++;
      try {
        return await inner.execute(id, params, signal, hear, scope);
      } finally {
        world.tally.open--;
        if (!checker.idle) world.complain("a sub-agent has no agent_end");
        world.check("a sub-agent", () => checkHistory(checker.history));
      }
    },
  };
}

function helperOptions(
  world: World,
  depth: number,
  signal: AbortSignal | undefined,
  scope: RunScope | undefined,
): AgentOptions {
  return {
    streamFn: (...asked) => {
      const refusal = scope?.ledger.refuseRequest(MODEL);
      if (refusal !== undefined) world.complain(`a sub-agent's model is called all the same: ${refusal}`);
      if (signal?.aborted) world.complain("a sub-agent's model is called after its call was aborted");
      return world.streamFn(...asked);
    },
    initialState: { model: MODEL, tools: scriptedTools(world, depth + 1) },
    ...world.options(),
  };
}

function result(text: string): AgentToolResult {
  return { content: [{ type: "text", text }], details: {} };
}

function circular(): AgentToolResult {
  const details: Record<string, unknown> = {};
  details["self"] = details;
  return { content: [{ type: "text", text: "round" }], details };
}
