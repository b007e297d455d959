// The kind of tool that only looks.
import type { AgentTool } from "@rondo/agent";
import type { TSchema } from "@rondo/ai";

/** A tool that changes nothing: a durable run whose process died in the middle of a call simply makes the call again. */
export interface LookingTool<TParameters extends TSchema, TDetails> extends AgentTool<TParameters, TDetails> {
  replay: "safe";
}
