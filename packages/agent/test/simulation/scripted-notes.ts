// Compaction in a random world: windows so small that it is due all the time, and a model that writes notes, nothing, far
// too much, or never answers. Checks that what is not in the notes stays as it was.
import { type AgentMessage, type AgentOptions, Compaction } from "@rondo/agent";
import type { AssistantMessage, AssistantMessageEventStream, StopReason } from "@rondo/ai";
import { createAssistantMessageEventStream } from "@rondo/ai";
import { emptyAnswer, MODEL } from "./scripted-model.ts";
import type { World } from "./scripted-world.ts";

type Hooks = Required<Pick<AgentOptions, "transformContext" | "onContextOverflow">>;

/** The hooks of a compaction for one conversation. */
export function scriptedNotes(world: World): Hooks {
  const { random, clock } = world;
  const contextWindow = random.between(40, 400);
  const compaction = new Compaction({
    model: MODEL,
    streamFn: notesModel(world),
    contextWindow,
    keepRecentTokens: random.between(1, contextWindow),
    reserveTokens: random.between(1, contextWindow),
    now: () => clock.now(),
  });
  return {
    transformContext: async (messages, signal, scope) => {
      const view = await compaction.transformContext(messages, signal, scope);
      checkView(world, messages, view, compaction.record?.messagesReplaced);
      return view;
    },
    onContextOverflow: compaction.onContextOverflow,
  };
}

function checkView(world: World, messages: AgentMessage[], view: AgentMessage[], replaced: number | undefined): void {
  const kept = replaced === undefined ? view : view.slice(1);
  const expected = messages.slice(replaced ?? 0);
  if (kept.length !== expected.length || kept.some((message, index) => message !== expected[index]))
    world.complain("notes changed what they do not stand for");
  if (kept.length === 0) world.complain("notes left nothing of the conversation");
}

function notesModel(world: World): (...call: Parameters<World["streamFn"]>) => AssistantMessageEventStream {
  const { random, clock, trouble } = world;
  let underway: AbortSignal | undefined;
  return (_model, _context, { signal } = {}) => {
    world.forbidAfterAbort("a summary");
    if (underway && !underway.aborted) world.complain("two summaries at once");
    if (random.chance(trouble / 4)) throw new Error("the notes' model threw");
    underway = signal;
    const stream = createAssistantMessageEventStream();
    const kind = random.weighted({ notes: 5, nothing: trouble, endless: trouble, failure: trouble, hang: trouble });
    const done = () => {
      underway = undefined;
      const message = notesOf(kind);
      world.tally[signal?.aborted ? "late" : "tokens"] += message.usage.totalTokens ?? 0;
      if (kind === "failure") stream.push({ type: "error", reason: "error", error: message });
      else stream.push({ type: "done", reason: "stop", message });
    };
    if (kind !== "hang") clock.setTimeout(done, random.between(0, 300));
    return stream;
  };
}

function notesOf(kind: "notes" | "nothing" | "endless" | "failure" | "hang"): AssistantMessage {
  const text = { notes: "n", nothing: " ", endless: "n".repeat(10_000), failure: "", hang: "" }[kind];
  const stopReason: StopReason = kind === "failure" ? "error" : "stop";
  return {
    ...emptyAnswer(0),
    content: [{ type: "text", text }],
    stopReason,
    usage: { totalTokens: 7, cost: { total: 0.0001 } },
  };
}
