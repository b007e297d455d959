// Thinking in a Messages request: a token budget for older models, an effort for those that decide by themselves ("adaptive").
import type { RequestInput } from "../../protocol.ts";
import type { Diagnostics } from "../../request/diagnostics.ts";
import { resolveThinking, thinkingBudget } from "../../request/thinking.ts";
import { isForcedChoice } from "../../request/tool-choice.ts";
import { currentToolLoopHasSignedThinking } from "../../transcript/tool-loop.ts";
import type { Model } from "../../types.ts";

/** The least budget that the API takes ("Extended thinking" documentation, 2025). */
const BUDGET_MIN = 1_024;

interface AnthropicThinking {
  maxTokens: number;
  thinking?: Record<string, unknown>;
  effort?: string;
  /** The API takes the thinking of the history: it does not while thinking is off, not even of answers that it gave itself. */
  takesThinkingBack: boolean;
}

/** Decides what to send. `maxTokens` grows by the budget, since the API counts thinking against it. */
export function anthropicThinking(input: RequestInput, maxTokens: number, diagnostics: Diagnostics): AnthropicThinking {
  const { model, options } = input;
  const asked = options.reasoning;
  const takesThinkingBack = true;
  if (asked === undefined && thinksUnasked(model) && !isForced(input)) return { maxTokens, takesThinkingBack };
  if (asked === undefined) return { maxTokens, ...thinkingOff(model) };
  const { level, word, clamped } = resolveThinking(model, asked);
  if (clamped) diagnostics.changed("reasoning", `${model.id} does not have the level ${asked}; ${level} was used`);
  if (level === "off") return { maxTokens, ...thinkingOff(model) };
  if (isForced(input)) {
    diagnostics.ignored("reasoning", model, "it cannot be combined with a forced tool call");
    return { maxTokens, ...thinkingOff(model) };
  }
  if (!model.quirks?.adaptiveThinking && !currentToolLoopHasSignedThinking(input.messages)) {
    diagnostics.ignored(
      "reasoning",
      model,
      "the tool calls under way began without thinking; it resumes with the next prompt",
    );
    // There is none in the loop, and that of earlier turns may stay, so that the beginning of the request stays as it was.
    return { maxTokens, takesThinkingBack };
  }
  if (model.quirks?.adaptiveThinking)
    return { maxTokens, takesThinkingBack, thinking: { type: "adaptive", display: "summarized" }, effort: word };
  const wanted = Math.max(BUDGET_MIN, thinkingBudget(level, options.thinkingBudgets));
  const total = Math.min(maxTokens + wanted, model.maxTokens ?? Number.POSITIVE_INFINITY);
  if (total <= BUDGET_MIN) {
    diagnostics.ignored("reasoning", model, `its output limit of ${total} tokens leaves no room`);
    return { maxTokens, ...thinkingOff(model) };
  }
  const budget = Math.min(wanted, Math.max(BUDGET_MIN, total - BUDGET_MIN));
  const own = options.thinkingBudgets?.[level];
  if (own !== undefined && own !== budget)
    diagnostics.changed(
      "thinkingBudgets",
      `the one for ${level} became ${budget} tokens, which is what there is room for`,
    );
  return { maxTokens: total, takesThinkingBack, thinking: { type: "enabled", budget_tokens: budget } };
}

/** What keeps a model from thinking: a word where it thinks unless told otherwise, else nothing. */
function thinkingOff(model: Model): Pick<AnthropicThinking, "thinking" | "takesThinkingBack"> {
  const word = model.thinkingLevelMap?.off;
  // With any other word than this the model still writes notes between calls, which it wants back.
  const takesThinkingBack = (typeof word === "string" && word !== "disabled") || takesThinkingWhenOff(model);
  return { takesThinkingBack, ...(word && { thinking: { type: word } }) };
}

/** A model that has a word for "off", or no such level, thinks unless it is told otherwise. */
const thinksUnasked = ({ reasoning, thinkingLevelMap }: Model): boolean =>
  reasoning && thinkingLevelMap?.off !== undefined;

const takesThinkingWhenOff = ({ quirks }: Model): boolean => quirks?.takesThinkingWhenOff === true;

/** The API refuses thinking with a forced tool. */
function isForced({ model, options: { toolChoice } }: RequestInput): boolean {
  return isForcedChoice(toolChoice) && model.quirks?.supportsForcedToolChoice !== false;
}
