import { createCatalog, customModel, getModel, getModels, getProvider, getProviders } from "@rondo/ai";
import { describe, expect, test } from "vitest";
import type { ModelIds } from "../../src/models/model-ids.generated.ts";
import { smallCatalog } from "./small-catalog.ts";

describe("getModel", () => {
  test("a listed model has its limits, prices, levels and quirks", () => {
    expect(getModel("anthropic", "claude-sonnet-5-5")).toEqual({
      id: "claude-sonnet-5-5",
      name: "Claude Sonnet 5.5",
      api: "anthropic-messages",
      provider: "anthropic",
      baseUrl: "https://api.anthropic.com",
      reasoning: true,
      thinkingLevelMap: {
        off: "between_tools",
        minimal: null,
        low: "low",
        medium: "medium",
        high: "high",
        xhigh: "xhigh",
        max: "max",
      },
      input: ["text", "image", "pdf"],
      cost: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
      contextWindow: 1_000_000,
      maxTokens: 128_000,
      quirks: { adaptiveThinking: true, supportsForcedToolChoice: false, supportsTemperature: false },
    });
  });

  test("Claude models say what keeps them from thinking, and whether a call can be forced", () => {
    const said = ["opus-4-8", "opus-5", "opus-5-5", "sonnet-5", "sonnet-5-5", "haiku-5-5", "fable-5", "fable-5-2"].map(
      (name) => {
        const { thinkingLevelMap, quirks } = getModel("anthropic", `claude-${name}`);
        return [name, thinkingLevelMap?.off, quirks?.supportsForcedToolChoice ?? true];
      },
    );
    expect(said).toEqual([
      ["opus-4-8", undefined, true],
      ["opus-5", "disabled", true],
      ["opus-5-5", null, false],
      ["sonnet-5", "disabled", true],
      ["sonnet-5-5", "between_tools", false],
      ["haiku-5-5", "disabled", true],
      ["fable-5", null, true],
      ["fable-5-2", null, false],
    ]);
  });

  test("long prompts have prices of their own", () => {
    expect(getModel("openai", "gpt-6.1-sol").cost).toEqual({
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      tiers: [{ inputTokensAbove: 272_000, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 }],
    });
  });

  test("Gemini 3 and later take a stand-in for the signatures of other models, Gemini 2.5 needs none", () => {
    expect(getModel("google", "gemini-3.8-flash").quirks).toEqual({
      thoughtSignatureStandIn: "skip_thought_signature_validator",
    });
    expect(getModel("google", "gemini-2.5-pro").quirks?.thoughtSignatureStandIn).toBeUndefined();
  });

  test("a price that nobody knows is absent, one of nothing is 0", () => {
    expect(getModel("openrouter", "openrouter/auto").cost).toEqual({});
    expect(getModel("openrouter", "google/gemma-4-31b-it:free").cost).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
    });
  });

  test("an id that is not listed talks as its nearest relative, with unknown limits and prices", () => {
    const model = getModel("anthropic", "claude-sonnet-9");
    const { quirks, thinkingLevelMap, input } = getModel("anthropic", "claude-sonnet-5-5");
    expect(model).toEqual({
      id: "claude-sonnet-9",
      name: "claude-sonnet-9",
      api: "anthropic-messages",
      provider: "anthropic",
      baseUrl: "https://api.anthropic.com",
      reasoning: true,
      thinkingLevelMap,
      input,
      cost: {},
      quirks,
      unlisted: true,
    });
  });

  test("an id without relatives is taken as it is", () => {
    expect(getModel("openai", "something-else")).toEqual({
      id: "something-else",
      name: "something-else",
      api: "openai-responses",
      provider: "openai",
      baseUrl: "https://api.openai.com/v1",
      reasoning: true,
      input: ["text", "image"],
      cost: {},
      quirks: { supportsStrictTools: true },
      unlisted: true,
    });
  });

  test.each([
    ["antropic", /^There is no provider "antropic"\. Did you mean anthropic\?/],
    ["olama", /^There is no provider "olama"\. Did you mean ollama/],
    ["xyzzyxyzzyxyzzy", /^There is no provider "xyzzyxyzzyxyzzy"\. Known are anthropic, openai, /],
    ["__proto__", /^There is no provider "__proto__"\./],
  ])("the provider %s is refused with a hint", (provider, message) => {
    expect(() => getModel(provider, "x")).toThrow(message);
  });

  test("each call gives an object of its own", () => {
    const first = getModel("anthropic", "claude-haiku-5-5");
    first.cost.input = -1;
    first.cost.tiers?.splice(0);
    first.input.splice(0);
    first.quirks = {};
    expect(getModel("anthropic", "claude-haiku-5-5")).toEqual(getModels("anthropic").find(({ id }) => id === first.id));
    expect(getModel("anthropic", "claude-haiku-5-5").cost.tiers).toHaveLength(1);
  });

  test("a variant has the models of the provider that it is a variant of", () => {
    const model = getModel("openai", "gpt-5.4");
    expect(getModel("openai-chat", "gpt-5.4")).toEqual({
      ...model,
      provider: "openai-chat",
      api: "openai-completions",
      quirks: { ...getProvider("openai-chat")?.quirks, ...model.quirks },
    });
  });

  test("ids of the catalog are known to the compiler, others are taken too", () => {
    const known: ModelIds["anthropic"] = "claude-sonnet-5-5";
    // @ts-expect-error a typing mistake is no id of the catalog
    const mistake: ModelIds["anthropic"] = "claude-sonet-5-5";
    expect([getModel("anthropic", known).unlisted, getModel("anthropic", mistake).unlisted]).toEqual([undefined, true]);
  });
});

describe("getModels and getProviders", () => {
  test("all models are those of all providers", () => {
    expect(getModels()).toEqual(getProviders().flatMap((provider) => getModels(provider)));
  });

  test("an unknown provider and a server that is asked live have none", () => {
    expect([getModels("nobody"), getModels("ollama")]).toEqual([[], []]);
  });

  test("the first provider is the first in the list of rows", () => {
    expect(getProviders().slice(0, 4)).toEqual(["anthropic", "openai", "openai-chat", "google"]);
  });
});

describe("a catalog of one's own", () => {
  test("has extra providers, whose variables for keys stand in their models", () => {
    const catalog = createCatalog({
      extraProviders: [
        { id: "mine", name: "Mine", api: "openai-completions", baseUrl: "http://h/v1", env: ["MY_KEY"] },
      ],
    });
    expect(catalog.getModel("mine", "m")).toEqual({
      id: "m",
      name: "m",
      api: "openai-completions",
      provider: "mine",
      baseUrl: "http://h/v1",
      keyEnv: ["MY_KEY"],
      reasoning: true,
      input: ["text", "image"],
      cost: {},
      unlisted: true,
    });
    expect(() => getModel("mine", "m")).toThrow(/no provider "mine"/);
  });

  test("reads each provider's data once, when it is asked for", () => {
    const asked: string[] = [];
    const catalog = createCatalog({
      data: (provider) => {
        asked.push(provider);
        return undefined;
      },
    });
    catalog.getProviders();
    expect(asked).toEqual([]);
    catalog.getModel("groq", "a");
    catalog.getModel("groq", "b");
    catalog.getModels("openai-chat");
    expect(asked).toEqual(["groq", "openai"]);
  });

  test("without data every id is unlisted, and nothing fails", () => {
    const catalog = createCatalog({ data: () => undefined });
    expect([catalog.getModels(), catalog.getModel("openai", "gpt-5").unlisted]).toEqual([[], true]);
    expect(catalog.findModel("openai/gpt-5").model?.id).toBe("gpt-5");
  });

  test("two catalogs know nothing of each other", () => {
    const [small, other] = [smallCatalog(), createCatalog()];
    expect([small.getModels("groq").length, other.getModels("groq").length > 2]).toEqual([2, true]);
  });
});

describe("customModel", () => {
  test("asks nothing of a server that it may not know", () => {
    expect(customModel({ id: "m", baseUrl: "http://h/v1" })).toEqual({
      id: "m",
      name: "m",
      api: "openai-completions",
      provider: "custom",
      baseUrl: "http://h/v1",
      keyEnv: [],
      reasoning: false,
      input: ["text", "image"],
      cost: {},
      quirks: expect.objectContaining({
        maxTokensField: "max_tokens",
        systemRole: "system",
        supportsStrictTools: false,
        supportsLongCacheRetention: false,
        supportsResponseSchema: false,
      }),
    });
  });

  test("an Anthropic-compatible server gets the wire that such servers know", () => {
    const { quirks } = customModel({ id: "m", baseUrl: "http://h", api: "anthropic-messages" });
    expect(quirks).toMatchObject({ anthropicLegacyAuth: true, supportsLongCacheRetention: false });
  });

  test("everything can be said otherwise", () => {
    const model = customModel({
      id: "m",
      baseUrl: "http://h/v1",
      provider: "team",
      name: "M",
      keyEnv: ["TEAM_KEY"],
      reasoning: true,
      quirks: { systemRole: "developer" },
    });
    expect([model.provider, model.name, model.keyEnv, model.reasoning, model.quirks?.systemRole]).toEqual([
      "team",
      "M",
      ["TEAM_KEY"],
      true,
      "developer",
    ]);
  });
});
