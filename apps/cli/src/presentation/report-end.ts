// How a run ended, for the person on standard error and for the caller as an exit code.
import type { AgentEvent } from "@rondo/agent";
import type { Ending } from "../exit-codes.ts";
import type { Refusal } from "../permissions/gate.ts";
import { allowFlags } from "../permissions/refusal-text.ts";
import type { Session } from "../session/create-session.ts";
import type { Interruption } from "../session/watch-signals.ts";
import { OWN_SERVER } from "../settings/select-model.ts";
import type { Output } from "../terminal/output.ts";
import { countOf } from "./count-of.ts";
import { describeArguments } from "./describe-call.ts";

/** The last event of a run. */
export type RunEnd = Extract<AgentEvent, { type: "agent_end" }>;

/** Reports the end of a run: refusals, then in one sentence what went wrong. */
export async function reportEnd(
  end: RunEnd | undefined,
  { gate, agent }: Session,
  progress: Output,
  signal: AbortSignal,
): Promise<Ending> {
  if (gate.refusals.length > 0) await reportRefusals(gate.refusals, progress);
  if (signal.aborted) return signal.reason as Interruption;
  const fail = (text: string) => progress.write(`rondo: ${progress.escape(text)}\n`);
  for (const { message } of end?.diagnostics ?? []) await fail(message);
  switch (end?.reason) {
    case "completed":
    case "terminated":
    case "stopped":
      return gate.refusals.length > 0 ? "refused" : "done";
    case "budget":
      await fail(`${end.errorMessage ?? "A limit was reached."}${costRemedy(end.errorMessage)}`);
      return "budget";
    case "empty":
      await fail("The model's last answer was empty.");
      return "modelError";
    default: {
      const last = agent.state.messages.findLast((message) => message.role === "assistant");
      const isAuth = last?.error?.kind === "auth";
      const sentence = end?.errorMessage ?? "The run ended without an answer.";
      await fail(isAuth ? `${endsSentence(sentence)}${authRemedy(last.provider)}` : sentence);
      return isAuth ? "auth" : "modelError";
    }
  }
}

/** The model layer speaks of its option; here are the flag, and the command that keeps a key. */
function authRemedy(provider: string): string {
  // The file of keys holds those of providers; a server that was named by --base-url alone is none.
  const forGood = provider === OWN_SERVER ? "." : `; rondo auth set ${provider} < file keeps a key for good.`;
  return ` On the command line that is --api-key${forGood}`;
}

/** The provider's own words come last in a sentence of ours, and often without a full stop. */
const endsSentence = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

/** The loop speaks of unknown costs in nobody's terms; here is the flag. */
function costRemedy(errorMessage = ""): string {
  return errorMessage.includes("unknown cost") ? " On the command line that is --unknown-cost warn." : "";
}

async function reportRefusals(refusals: Refusal[], progress: Output): Promise<void> {
  const was = refusals.length === 1 ? "was" : "were";
  await progress.write(`rondo: ${countOf(refusals.length, "tool call")} ${was} refused:\n`);
  for (const { tool, args, reason, suggestions } of refusals) {
    const remedy = suggestions.length === 0 ? "" : `  Allow it with ${allowFlags(suggestions)}`;
    const call = `${tool} ${describeArguments(args)}`.trimEnd();
    await progress.write(`  ${progress.escape(`${call}: ${reason}.${remedy}`)}\n`);
  }
}
