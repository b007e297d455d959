// Lets what extensions have registered take part in a session: hooks one after the other, listeners that cannot end a run, stream
// functions around the session's own.
import type {
  AfterToolCallContext,
  AfterToolCallResult,
  Agent,
  BeforeToolCallContext,
  BeforeToolCallResult,
  StreamFn,
} from "@rondo/agent";
import type { Extensions } from "./load-extensions.ts";

/** The stream function with those of the extensions around it. */
export function wrapStreamFn(streamFn: StreamFn, { streamFns }: Extensions): StreamFn {
  return streamFns.reduce((next, wrap) => wrap(next), streamFn);
}

/** Asks the hooks in turn; the first that blocks is the last that is asked. */
export async function askBefore(
  extensions: Extensions,
  context: BeforeToolCallContext,
): Promise<BeforeToolCallResult | undefined> {
  for (const hook of extensions.beforeToolCall) {
    const answer = await hook(context);
    if (answer?.block) return answer;
  }
  return undefined;
}

/** Hands the result from hook to hook, each of which sees what the one before made of it. */
export async function changeAfter(
  hooks: Extensions["afterToolCall"],
  context: AfterToolCallContext,
): Promise<AfterToolCallResult | undefined> {
  let { result } = context;
  let changes: AfterToolCallResult | undefined;
  for (const hook of hooks) {
    const change = await hook({ ...context, result });
    if (!change) continue;
    changes = { ...changes, ...change };
    result = { ...result, ...(change as Partial<typeof result>) };
  }
  return changes;
}

/** Lets the listeners hear of every event. */
export function attachListeners(agent: Agent, { listeners }: Extensions, onProblem: (text: string) => void): void {
  for (const listener of listeners)
    agent.subscribe(async (event) => {
      try {
        await listener(event);
      } catch (error) {
        onProblem(`An extension failed at ${event.type}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
}
