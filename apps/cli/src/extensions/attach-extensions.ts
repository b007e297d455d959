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
import { UsageError } from "../exit-codes.ts";
import { beforeTimeout } from "./before-timeout.ts";
import type { Extensions } from "./load-extensions.ts";
import { reasonOf } from "./reason-of.ts";

/** A hook may ask a person. */
const HOOK_MS = 600_000;
const LISTENER_MS = 10_000;
const HOOK_PROBLEM = `A hook of an extension did not answer within ${HOOK_MS / 60_000} minutes.`;

/** The stream function with those of the extensions around it. Throws a `UsageError` if one cannot be put there. */
export function wrapStreamFn(streamFn: StreamFn, { streamFns }: Pick<Extensions, "streamFns">): StreamFn {
  return streamFns.reduce((next, wrap) => {
    try {
      return wrap(next);
    } catch (error) {
      throw new UsageError(`The stream function of an extension failed before any call: ${reasonOf(error)}`);
    }
  }, streamFn);
}

/** Asks the hooks in turn; the first that blocks is the last that is asked. */
export async function askBefore(
  extensions: Extensions,
  context: BeforeToolCallContext,
): Promise<BeforeToolCallResult | undefined> {
  for (const hook of extensions.beforeToolCall) {
    const answer = await beforeTimeout(hook(context), HOOK_MS, HOOK_PROBLEM);
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
    const change = await beforeTimeout(hook({ ...context, result }), HOOK_MS, HOOK_PROBLEM);
    if (!change) continue;
    changes = { ...changes, ...change };
    result = { ...result, ...(change as Partial<typeof result>) };
  }
  return changes;
}

/** Lets the listeners hear of every event. One that is not done in time hears no more. */
export function attachListeners(
  agent: Agent,
  { listeners }: Pick<Extensions, "listeners">,
  onProblem: (text: string) => void,
  listenerMs = LISTENER_MS,
): void {
  const tooLate = `it was not done after ${listenerMs / 1000} seconds`;
  for (const listener of listeners) {
    const unsubscribe = agent.subscribe(async (event) => {
      const work = async () => {
        try {
          await listener(event);
        } catch (error) {
          onProblem(`An extension failed at ${event.type}: ${reasonOf(error)}`);
        }
      };
      await beforeTimeout(work(), listenerMs, tooLate).catch((late: Error) => {
        unsubscribe();
        onProblem(`An extension failed at ${event.type}: ${late.message}, so it hears no further events.`);
      });
    });
  }
}
