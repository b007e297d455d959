// Counts, from what models said and listeners heard, the tokens that a run has used: what its ledger must come to as well.
import type { AgentEvent } from "@rondo/agent";

export class UsageTally {
  tokens = 0;
  /** What came after the run that asked for it was over, or was ending: it may count there. */
  late = 0;
  /** Sub-agents at work. While there are some, their runs may know of tokens that nobody has heard of. */
  open = 0;

  /** Whether a run may tell of so much. */
  allows(tokens: number): boolean {
    return tokens >= this.tokens && (this.open > 0 || tokens <= this.tokens + this.late);
  }

  /** Takes an event of the run itself or of a sub-agent. */
  hear(event: AgentEvent): void {
    if (event.type === "message_end" && event.message.role === "assistant")
      this.tokens += event.message.usage.totalTokens ?? 0;
    if (event.type === "message_update" && event.assistantMessageEvent.type === "error")
      this.tokens += event.assistantMessageEvent.error.usage.totalTokens ?? 0;
  }
}
