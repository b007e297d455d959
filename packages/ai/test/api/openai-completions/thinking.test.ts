import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import type { RequestOptions } from "../../../src/protocol.ts";
import type { ThinkingFormat } from "../../../src/quirks.ts";
import { changed, effectOf, ignored } from "../conversation.ts";

describe("thinking levels", () => {
  const words = { off: "none", high: "hard" };
  test.each<{ format: ThinkingFormat; high: object; off: object; unworded: object }>([
    { format: "reasoning_effort", high: { reasoning_effort: "hard" }, off: { reasoning_effort: "none" }, unworded: {} },
    {
      format: "openrouter",
      high: { reasoning: { effort: "hard" } },
      off: { reasoning: { effort: "none" } },
      unworded: { reasoning: { effort: "none" } },
    },
    {
      format: "zai",
      high: { thinking: { type: "enabled" } },
      off: { thinking: { type: "disabled" } },
      unworded: { thinking: { type: "disabled" } },
    },
    {
      format: "qwen",
      high: { enable_thinking: true },
      off: { enable_thinking: false },
      unworded: { enable_thinking: false },
    },
    {
      format: "chat-template",
      high: { chat_template_kwargs: { enable_thinking: true } },
      off: { chat_template_kwargs: { enable_thinking: false } },
      unworded: { chat_template_kwargs: { enable_thinking: false } },
    },
    {
      format: "deepseek",
      high: { thinking: { type: "enabled" }, reasoning_effort: "hard" },
      off: { thinking: { type: "disabled" } },
      unworded: { thinking: { type: "disabled" } },
    },
    {
      format: "baseten",
      high: { chat_template_args: { enable_thinking: true }, reasoning_effort: "hard" },
      off: { chat_template_args: { enable_thinking: false } },
      unworded: { chat_template_args: { enable_thinking: false } },
    },
    {
      format: "together",
      high: { reasoning: { enabled: true }, reasoning_effort: "hard" },
      off: { reasoning: { enabled: false } },
      unworded: { reasoning: { enabled: false } },
    },
  ])("$format", ({ format, high, off, unworded }) => {
    const model = { quirks: { thinkingFormat: format } };
    expect(effectOf(openaiCompletions, { reasoning: "high" }, { ...model, thinkingLevelMap: words })).toEqual({
      body: high,
      said: [],
    });
    expect(effectOf(openaiCompletions, { reasoning: "off" }, { ...model, thinkingLevelMap: words })).toEqual({
      body: off,
      said: [],
    });
    expect(effectOf(openaiCompletions, { reasoning: "off" }, model)).toEqual({ body: unworded, said: [] });
    expect(effectOf(openaiCompletions, {}, model)).toEqual({ body: {}, said: [] });
  });

  test("a level that the model does not have becomes the nearest, and that is said", () => {
    expect(effectOf(openaiCompletions, { reasoning: "max" })).toEqual({
      body: { reasoning_effort: "high" },
      said: changed("reasoning", "model-1 does not have the level max; high was used"),
    });
  });

  test("models that do not think, and servers that cannot be told", () => {
    expect(effectOf(openaiCompletions, { reasoning: "high" }, { reasoning: false }).said).toEqual(
      ignored("reasoning", "it does not think"),
    );
    expect(effectOf(openaiCompletions, { reasoning: "high" }, { quirks: { thinkingFormat: "none" } }).said).toEqual(
      ignored("reasoning"),
    );
    expect(effectOf(openaiCompletions, { reasoning: "off" }, { reasoning: false })).toEqual({ body: {}, said: [] });
  });

  test("a number of tokens, where a server takes one", () => {
    const options: RequestOptions = { reasoning: "high", thinkingBudgets: { high: 5000 } };
    expect(effectOf(openaiCompletions, options, { quirks: { thinkingFormat: "openrouter" } }).body).toEqual({
      reasoning: { max_tokens: 5000 },
    });
    expect(effectOf(openaiCompletions, options, { quirks: { thinkingFormat: "qwen" } }).body).toEqual({
      enable_thinking: true,
      thinking_budget: 5000,
    });
    expect(effectOf(openaiCompletions, options)).toEqual({
      body: { reasoning_effort: "high" },
      said: ignored("thinkingBudgets", "it takes a level, no number of tokens"),
    });
  });
});
