import { findModel, getDefaultModel, type ModelMatch, type ModelSearchOptions } from "@rondo/ai";
import { describe, expect, test } from "vitest";
import { aliasNames } from "../../src/models/aliases.ts";
import { newerFirst } from "../../src/models/id-words.ts";
import { smallCatalog } from "./small-catalog.ts";

const catalog = smallCatalog();
const short = ({ model, thinkingLevel, kind }: ModelMatch): string =>
  `${kind} ${model.provider}/${model.id}${thinkingLevel ? ` at ${thinkingLevel}` : ""}`;
const chosen = (query: string, options?: ModelSearchOptions): string => {
  const { model, problem, matches } = catalog.findModel(query, options);
  return model && matches[0] ? short(matches[0]) : `none: ${problem}`;
};

describe("one model is meant", () => {
  test.each([
    // The id as it is.
    ["anthropic/claude-sonnet-5", "exact anthropic/claude-sonnet-5"],
    ["claude-sonnet-5", "exact anthropic/claude-sonnet-5"],
    ["ANTHROPIC/Claude-Sonnet-5", "exact anthropic/claude-sonnet-5"],
    ["  claude-sonnet-5\n", "exact anthropic/claude-sonnet-5"],
    ["openrouter/anthropic/claude-sonnet-5", "exact openrouter/anthropic/claude-sonnet-5"],
    ["gpt-5", "exact openai/gpt-5"],
    ["azure/gpt-5", "exact azure/gpt-5"],
    ["openai-chat/gpt-5", "exact openai-chat/gpt-5"],
    ["o3", "exact openai/o3"],
    ["kimi-k2.6", "exact moonshotai/kimi-k2.6"],
    ["moonshotai-cn/kimi-k2.6", "exact moonshotai-cn/kimi-k2.6"],
    ["local/unsloth/qwen", "exact local/unsloth/qwen"],
    ["unsloth/qwen", "exact local/unsloth/qwen"],
    // A thinking level, unless it belongs to the id.
    ["openai/gpt-6.1-sol:high", "exact openai/gpt-6.1-sol at high"],
    ["gpt-5:off", "exact openai/gpt-5 at off"],
    ["gpt-5:MAX", "exact openai/gpt-5 at max"],
    ["openrouter/meta/llama:free", "exact openrouter/meta/llama:free"],
    ["openrouter/meta/llama:free:high", "exact openrouter/meta/llama:free:high"],
    ["openrouter/meta/llama:free:high:low", "exact openrouter/meta/llama:free:high at low"],
    ["openrouter/meta/llama:free:medium", "exact openrouter/meta/llama:free at medium"],
    ["meta/other:low", "exact openrouter/meta/other:low"],
    ["meta/other:low:low", "exact openrouter/meta/other:low at low"],
    // Another spelling, a part.
    ["claude-opus-5.5", "part anthropic/claude-opus-5-5"],
    ["Claude Opus 5.5", "part anthropic/claude-opus-5-5"],
    ["anthropic/opus-5.5:high", "part anthropic/claude-opus-5-5 at high"],
    ["sonnet-5", "part anthropic/claude-sonnet-5"],
    ["haiku 4.5", "part anthropic/claude-haiku-4-5"],
    ["astra", "part openai/gpt-6-astra"],
    ["qwen3", "part openrouter/qwen/qwen3-coder"],
    ["versatile:low", "part groq/llama-3.3-70b-versatile at low"],
    // The newest of a family.
    ["sonnet", "alias anthropic/claude-sonnet-5"],
    ["Sonnet:high", "alias anthropic/claude-sonnet-5 at high"],
    ["opus", "alias anthropic/claude-opus-5-5"],
    ["haiku", "alias anthropic/claude-haiku-4-5"],
    ["gpt", "alias openai/gpt-6.1-sol"],
    ["gemini", "alias google/gemini-4-neon"],
    ["flash", "alias google/gemini-3.5-flash"],
    ["openrouter/sonnet:low", "alias openrouter/anthropic/claude-sonnet-5 at low"],
    // A known provider and an id that is not listed.
    ["ollama/qwen3", "unlisted ollama/qwen3"],
    ["ollama/qwen3:8b", "unlisted ollama/qwen3:8b"],
    ["ollama/gpt-oss:20b:high", "unlisted ollama/gpt-oss:20b at high"],
    ["google/gemini-9-xenon", "unlisted google/gemini-9-xenon"],
    ["anthropic/claude-sonet-5", "unlisted anthropic/claude-sonet-5"],
    ["openrouter/new/model:free:high", "unlisted openrouter/new/model:free at high"],
  ])("%s is %s", (query, expected) => {
    expect(chosen(query)).toBe(expected);
  });

  test.each([
    ["openrouter", "claude-sonnet-5", "part openrouter/anthropic/claude-sonnet-5"],
    ["openrouter", "openrouter/sonnet", "alias openrouter/anthropic/claude-sonnet-5"],
    ["openrouter", "meta/llama:free", "exact openrouter/meta/llama:free"],
    ["openrouter", "openai/gpt-oss-120b", "exact openrouter/openai/gpt-oss-120b"],
    ["ollama", "openai/gpt-oss", "unlisted ollama/openai/gpt-oss"],
    ["nobody", "gpt-5", 'none: No model is called "gpt-5".'],
  ])("at %s, %s is %s", (provider, query, expected) => {
    expect(chosen(query, { provider })).toBe(expected);
  });

  test.each([
    ["openrouter", "sonnet", "alias openrouter/anthropic/claude-sonnet-5"],
    ["openrouter", "claude-opus-5-5", "part openrouter/anthropic/claude-opus-5.5"],
    ["azure", "gpt-5", "exact azure/gpt-5"],
    ["groq", "gpt-oss-120b", "part groq/openai/gpt-oss-120b"],
    ["groq", "anthropic/claude-sonnet-5", "exact anthropic/claude-sonnet-5"],
  ])("with a key for %s alone, %s is %s", (usable, query, expected) => {
    expect(chosen(query, { isUsable: (provider) => provider === usable })).toBe(expected);
  });
});

describe("no model is chosen, with the reason", () => {
  test.each([
    [
      "gpt-oss-120b",
      '"gpt-oss-120b" may mean openrouter/openai/gpt-oss-120b, groq/openai/gpt-oss-120b or cerebras/gpt-oss-120b. Write more of it, or provider/id.',
    ],
    [
      "openai/gpt-oss-120b",
      '"openai/gpt-oss-120b" may mean openrouter/openai/gpt-oss-120b or groq/openai/gpt-oss-120b. Write more of it, or provider/id.',
    ],
    [
      "llama",
      '"llama" may mean openrouter/meta/llama:free, openrouter/meta/llama:free:high or groq/llama-3.3-70b-versatile. Write more of it, or provider/id.',
    ],
    [
      "claude-sonet-5",
      'No model is called "claude-sonet-5". Did you mean anthropic/claude-sonnet-5, anthropic/claude-sonnet-4-5 or anthropic/claude-opus-5-5?',
    ],
    ["zzzzzz", 'No model is called "zzzzzz".'],
    ["a/b/c:d:e", 'No model is called "a/b/c:d:e".'],
    ["", 'No model is called "".'],
    ["/", 'No model is called "/".'],
  ])("%s", (query, problem) => {
    const choice = catalog.findModel(query);
    expect([choice.model, choice.problem]).toEqual([undefined, problem]);
  });

  test("all that fit are listed, best first, withdrawn ones last", () => {
    expect(catalog.findModels("claude").map(short)).toEqual([
      "alias anthropic/claude-sonnet-5",
      "alias openrouter/anthropic/claude-sonnet-5",
    ]);
    expect(catalog.findModels("anthropic/claude-opus").map(short)).toEqual([
      "part anthropic/claude-opus-5-5",
      "part anthropic/claude-opus-4-1",
    ]);
    expect(catalog.findModels("4.5").map(short)).toEqual([
      "part anthropic/claude-haiku-4-5",
      "part anthropic/claude-sonnet-4-5",
      "part anthropic/claude-sonnet-4-5-20250929",
    ]);
  });

  test("an unlisted model is followed by those that are spelled alike", () => {
    expect(catalog.findModels("anthropic/claude-sonet-5").map(short)).toEqual([
      "unlisted anthropic/claude-sonet-5",
      "similar anthropic/claude-sonnet-5",
      "similar anthropic/claude-sonnet-4-5",
      "similar anthropic/claude-opus-5-5",
    ]);
  });

  test("a short name with a slip in it is known", () => {
    expect(findModel("sonet").problem).toBe(
      'No model is called "sonet". Did you mean anthropic/claude-sonnet-5-5 or perplexity/sonar?',
    );
  });

  test("any text at all is answered without a throw", () => {
    for (const query of ["a/b/c:d:e", "//", "::", "💥", "a".repeat(10_000), "\u0000", "__proto__", "constructor/x"]) {
      expect(() => catalog.findModel(query)).not.toThrow();
    }
  });
});

test("single letters are in every name and mean none", () => {
  expect(findModel("a/b/c:d:e")).toEqual({ matches: [], problem: 'No model is called "a/b/c:d:e".' });
});

describe("short names in the catalog that ships", () => {
  test("each means one model of its maker", () => {
    const meanings = Object.fromEntries(
      aliasNames().map((alias) => {
        const { model, problem } = findModel(alias);
        return [alias, model ? `${model.provider}/${model.id}` : problem];
      }),
    );
    expect(meanings).toEqual({
      claude: "anthropic/claude-sonnet-5-5",
      sonnet: "anthropic/claude-sonnet-5-5",
      opus: "anthropic/claude-opus-5-5",
      haiku: "anthropic/claude-haiku-5-5",
      fable: "anthropic/claude-fable-5-2",
      gpt: "openai/gpt-6.2-sol",
      "gpt-mini": "openai/gpt-6-luna",
      codex: "openai/gpt-5.3-codex",
      gemini: "google/gemini-4-neon",
      "gemini-flash": "google/gemini-3.8-flash",
      flash: "google/gemini-3.8-flash",
      grok: "xai/grok-4.7",
      deepseek: "deepseek/deepseek-v4-pro",
      kimi: "moonshotai/kimi-k3.1-pro",
      glm: "zai/glm-5.3",
      mistral: "mistral/mistral-large-latest",
      qwen: "alibaba/qwen3.7-max",
      minimax: "minimax/MiniMax-M3",
      mimo: "xiaomi/mimo-v2.6-pro",
      muse: "meta/muse-spark-1.3",
    });
  });

  test.each([
    ["anthropic", "claude-sonnet-5-5"],
    ["openai", "gpt-6.2-sol"],
    ["openai-chat", "gpt-6.2-sol"],
    ["google", "gemini-4-neon"],
    ["zai-coding", "glm-5.3"],
    ["openrouter", "anthropic/claude-sonnet-5.5"],
    ["azure", "gpt-6.2-sol"],
    ["groq", "openai/gpt-oss-120b"],
    ["ollama", undefined],
    ["nobody", undefined],
  ])("somebody who names no model of %s gets %s", (provider, id) => {
    expect(getDefaultModel(provider)?.id).toBe(id);
  });

  test("newer versions go first, dates count for nothing", () => {
    const ids = ["m-4-8", "m-5", "m-5-20260101", "m-5-5", "m-10", "m-3.9"];
    expect([...ids].sort(newerFirst)).toEqual(["m-10", "m-5-5", "m-5", "m-5-20260101", "m-4-8", "m-3.9"]);
  });
});
