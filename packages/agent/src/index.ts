// The public surface of the agent loop: named exports only, no side effects. Knows no provider and no terminal.
export type { ThinkingLevel } from "@rondo/ai";
export { Agent, type AgentListener } from "./agent.ts";
export { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from "./agent-loop.ts";
export type { AgentOptions } from "./agent-settings.ts";
export type { InitialAgentState } from "./agent-state.ts";
export { type AgentToolDetails, type AgentToolOptions, agentTool } from "./agent-tool.ts";
export { BudgetLedger, type LedgerBooks } from "./budget.ts";
export { type Clock, systemClock } from "./clock.ts";
export { Compaction, type CompactionOptions, type CompactionRecord } from "./compaction.ts";
export { findCutPoint, isCutPoint, keepLastTurns } from "./context.ts";
export { setDefaultStreamFn } from "./default-stream-fn.ts";
export {
  type EstimatedContext,
  estimateContextTokens,
  estimateMessageTokens,
  estimateTextTokens,
} from "./token-estimate.ts";
export type * from "./types.ts";
