// Thinking in a Messages request: a token budget for older models, an effort for those that decide by themselves ("adaptive").
import type { RequestInput } from "../../protocol.ts";
import type { Diagnostics } from "../../request/diagnostics.ts";
import { resolveThinking, thinkingBudget } from "../../request/thinking.ts";
import { currentToolLoopHasSignedThinking } from "../../transcript/tool-loop.ts";

/** The least budget that the API takes ("Extended thinking" documentation, 2025). */
const BUDGET_MIN = 1_024;

interface AnthropicThinking {
  maxTokens: number;
  thinking?: Record<string, unknown>;
  effort?: string;
}

/** Decides what to send. `maxTokens` grows by the budget, since the API counts thinking against it. */
export function anthropicThinking(input: RequestInput, maxTokens: number, diagnostics: Diagnostics): AnthropicThinking {
  const { model, options } = input;
  const asked = options.reasoning;
  if (asked === undefined) return { maxTokens };
  const { level, word, clamped } = resolveThinking(model, asked);
  if (clamped) diagnostics.changed("reasoning", `${model.id} does not have the level ${asked}; ${level} was used`);
  if (level === "off") return { maxTokens };
  const reason = obstacle(input);
  if (reason) {
    diagnostics.ignored("reasoning", model, reason);
    return { maxTokens };
  }
  if (model.quirks?.adaptiveThinking)
    return { maxTokens, thinking: { type: "adaptive", display: "summarized" }, effort: word };
  const wanted = Math.max(BUDGET_MIN, thinkingBudget(level, options.thinkingBudgets));
  const total = Math.min(maxTokens + wanted, model.maxTokens ?? Number.POSITIVE_INFINITY);
  if (total <= BUDGET_MIN) {
    diagnostics.ignored("reasoning", model, `its output limit of ${total} tokens leaves no room`);
    return { maxTokens };
  }
  const budget = Math.min(wanted, Math.max(BUDGET_MIN, total - BUDGET_MIN));
  const own = options.thinkingBudgets?.[level];
  if (own !== undefined && own !== budget)
    diagnostics.changed(
      "thinkingBudgets",
      `the one for ${level} became ${budget} tokens, which is what there is room for`,
    );
  return { maxTokens: total, thinking: { type: "enabled", budget_tokens: budget } };
}

/** The API refuses thinking with a forced tool, and in the middle of a tool loop that began without it. */
function obstacle({ model, messages, options }: RequestInput): string | undefined {
  const choice = options.toolChoice;
  if (choice === "required" || typeof choice === "object") return "it cannot be combined with a forced tool call";
  if (!model.quirks?.adaptiveThinking && !currentToolLoopHasSignedThinking(messages)) {
    return "the tool calls under way began without thinking; it resumes with the next prompt";
  }
  return undefined;
}
