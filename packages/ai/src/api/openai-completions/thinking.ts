// How a thinking level is asked for: each kind of server has parameters of its own.
import type { RequestInput } from "../../protocol.ts";
import type { Diagnostics } from "../../request/diagnostics.ts";
import { resolveThinking } from "../../request/thinking.ts";

/** The parameters to add to the body; none if the caller said nothing about thinking. */
export function chatThinking({ model, options }: RequestInput, diagnostics: Diagnostics): Record<string, unknown> {
  const asked = options.reasoning;
  if (asked === undefined) return {};
  const format = model.quirks?.thinkingFormat ?? "reasoning_effort";
  if (!model.reasoning || format === "none") {
    if (asked !== "off") diagnostics.ignored("reasoning", model, model.reasoning ? undefined : "it does not think");
    return {};
  }
  const { level, word, clamped } = resolveThinking(model, asked);
  if (clamped) diagnostics.changed("reasoning", `${model.id} does not have the level ${asked}; ${level} was used`);
  const thinks = level !== "off";
  const budget = level === "off" ? undefined : options.thinkingBudgets?.[level];
  if (budget !== undefined && format !== "openrouter" && format !== "qwen") {
    diagnostics.ignored("thinkingBudgets", model, "it takes a level, no number of tokens");
  }
  const wordOfOff = model.thinkingLevelMap?.off ?? undefined;
  // Models whose levels have words of their own take them beside the switch.
  const ownWord = thinks ? model.thinkingLevelMap?.[level] : undefined;
  const effort = ownWord ? { reasoning_effort: ownWord } : {};
  switch (format) {
    case "reasoning_effort":
      // Without a word of its own for "off", a model has no way to be told.
      return thinks || wordOfOff !== undefined ? { reasoning_effort: word } : {};
    case "openrouter":
      if (budget !== undefined) return { reasoning: { max_tokens: budget } };
      return { reasoning: { effort: thinks ? word : (wordOfOff ?? "none") } };
    case "qwen":
      return { enable_thinking: thinks, ...(budget !== undefined && { thinking_budget: budget }) };
    case "chat-template":
      return { chat_template_kwargs: { enable_thinking: thinks } };
    case "baseten":
      return { chat_template_args: { enable_thinking: thinks }, ...effort };
    case "together":
      return { reasoning: { enabled: thinks }, ...effort };
    case "zai":
      return { thinking: { type: thinks ? "enabled" : "disabled" } };
    case "deepseek":
      return { thinking: { type: thinks ? "enabled" : "disabled" }, ...effort };
    default: {
      const unknown: never = format;
      return unknown;
    }
  }
}
