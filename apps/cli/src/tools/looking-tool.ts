// The tools that only look: which they are, and what kind they are of.
import type { AgentTool } from "@rondo/agent";
import type { TSchema } from "@rondo/ai";

/** The names of ours that look at files. */
export const LOOKING_TOOLS: ReadonlySet<string> = new Set(["read", "ls", "find", "grep"]);

/** A tool that changes nothing: a durable run whose process died in the middle of a call simply makes the call again. */
export interface LookingTool<TParameters extends TSchema, TDetails> extends AgentTool<TParameters, TDetails> {
  replay: "safe";
}
