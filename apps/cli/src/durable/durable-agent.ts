// The agent of a session as the agent of a durable run: the same model, tools, permissions and instructions. Invariant: what it
// reads besides the session, the notes of a compaction, is recorded, so that a replay says the same.
import type { DurableAgent, DurableScope } from "@rondo/durable";
import type { Session } from "../session/create-session.ts";

/**
 * Names records that fit this code. It must rise when older ones cannot be replayed any more; runs that were begun before are then
 * left to the version of rondo that began them.
 */
export const RECORDS_VERSION = "1";

/** Makes the agent of a run from a session, which must live as long as the run. */
export function durableAgent(
  { agent, keeper }: Session,
  { messages, prompt }: Pick<DurableAgent, "messages" | "prompt">,
  scope: DurableScope,
): DurableAgent {
  const { model, thinkingLevel, systemPrompt, tools } = agent.state;
  const { beforeToolCall, afterToolCall, retry, budget } = agent;
  return {
    model,
    streamFn: agent.streamFunction,
    systemPrompt,
    tools,
    ...(messages && { messages }),
    prompt,
    ...(budget && { budget }),
    config: {
      ...agent.streamOptions,
      reasoning: thinkingLevel,
      // A session that is not kept has another name in each attempt.
      sessionId: keeper.path === undefined ? scope.runId : keeper.id,
      ...keeper.hooksOfRun(scope.recorded("notes", agent.streamFunction)),
      ...(beforeToolCall && { beforeToolCall }),
      ...(afterToolCall && { afterToolCall }),
      ...(retry && { retry }),
    },
  };
}
