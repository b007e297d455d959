// The data files as a whole: every fact is sound, and every model can be talked to.
import {
  type Context,
  findModel,
  getModels,
  getProvider,
  getProviders,
  type KnownApi,
  type Model,
  prepareTranscript,
  type ThinkingLevel,
} from "@rondo/ai";
import { describe, expect, test } from "vitest";
import { checkOverrides } from "../../src/models/overrides-check.ts";
import type { ApiProtocol } from "../../src/protocol.ts";

describe("the data that ships", () => {
  const models = getModels();
  const listed = models.filter((model) => getProvider(model.provider)?.variantOf === undefined);

  test("every fact has a meaning that a models.json could say too", () => {
    for (const provider of getProviders()) {
      const entries = getModels(provider).map(({ provider: _provider, ...entry }) => entry);
      const problems = checkOverrides({ providers: { [provider]: { models: entries } } });
      expect(problems.filter((problem) => !/baseUrl/.test(problem))).toEqual([]);
    }
  });

  test("ids are unique, limits and prices make sense", () => {
    const odd: string[] = [];
    for (const provider of getProviders()) {
      const ids = getModels(provider).map(({ id }) => id);
      if (new Set(ids).size !== ids.length) odd.push(`${provider}: an id twice`);
    }
    for (const model of listed) {
      const name = `${model.provider}/${model.id}`;
      const { contextWindow = Number.POSITIVE_INFINITY, maxTokens = 1, cost, input } = model;
      if (maxTokens >= contextWindow) odd.push(`${name}: maxTokens`);
      if (!input.includes("text")) odd.push(`${name}: takes no text`);
      if ((cost.input ?? 0) > (cost.output ?? 1_000) && !/sonar|embed|rerank/.test(model.id))
        odd.push(`${name}: prices`);
      const thresholds = (cost.tiers ?? []).map((tier) => tier.inputTokensAbove);
      if (thresholds.some((each, index) => each <= (thresholds[index - 1] ?? 0))) odd.push(`${name}: tiers`);
      if (!model.reasoning && model.thinkingLevelMap) odd.push(`${name}: levels without thinking`);
      if (model.name.trim() === "" || model.id.trim() !== model.id) odd.push(`${name}: name`);
    }
    expect(odd).toEqual([]);
  });

  test("every model is found by provider/id, with and without a level", () => {
    const named = new Set(models.map(({ provider, id }) => `${provider}/${id}`));
    const lost: string[] = [];
    for (const name of named) {
      const { model, thinkingLevel, matches } = findModel(name);
      if (`${model?.provider}/${model?.id}` !== name || thinkingLevel || matches[0]?.kind !== "exact") lost.push(name);
      if (named.has(`${name}:high`)) continue;
      const leveled = findModel(`${name}:high`);
      if (`${leveled.model?.provider}/${leveled.model?.id}` !== name || leveled.thinkingLevel !== "high") {
        lost.push(`${name}:high`);
      }
    }
    expect(lost).toEqual([]);
  });

  test("what people use is there", () => {
    expect(listed.length).toBeGreaterThan(1_000);
    expect(new Set(listed.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(30);
    const priced = listed.filter(({ cost }) => cost.input !== undefined);
    expect(priced.length / listed.length).toBeGreaterThan(0.85);
  });

  const protocols: Record<KnownApi, () => Promise<ApiProtocol>> = {
    "anthropic-messages": async () => (await import("../../src/api/anthropic-messages/index.ts")).anthropicMessages,
    "openai-completions": async () => (await import("../../src/api/openai-completions/index.ts")).openaiCompletions,
    "openai-responses": async () => (await import("../../src/api/openai-responses/index.ts")).openaiResponses,
    "google-generative-ai": async () =>
      (await import("../../src/api/google-generative-ai/index.ts")).googleGenerativeAi,
  };
  const context: Context = {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        ],
        timestamp: 0,
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", thinkingSignature: "sig" },
          { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a" } },
        ],
        api: "anthropic-messages",
        provider: "anthropic",
        model: "claude-sonnet-5",
        usage: { cost: {} },
        stopReason: "toolUse",
        timestamp: 0,
      },
      {
        role: "toolResult",
        toolCallId: "call_1",
        toolName: "read",
        content: [{ type: "text", text: "ok" }],
        isError: false,
        timestamp: 0,
      },
    ],
    tools: [
      {
        name: "read",
        description: "Reads.",
        parameters: { type: "object", properties: { path: { type: "string" } } } as never,
      },
    ],
  };
  const levels: ThinkingLevel[] = ["off", "minimal", "high", "max"];

  /** One of each kind, since most models differ in what does not shape a request. */
  const kindsOf = (api: KnownApi): Model[] => {
    const kinds = new Map(
      models
        .filter((model) => model.api === api)
        .map((model) => {
          const { quirks, thinkingLevelMap, input, reasoning } = model;
          return [JSON.stringify([quirks, thinkingLevelMap, input, reasoning]), model] as const;
        }),
    );
    return [...kinds.values()];
  };

  test.each(Object.keys(protocols) as KnownApi[])(
    "every kind of model of %s builds a request at every level",
    async (api) => {
      const protocol = await protocols[api]();
      const kinds = kindsOf(api);
      expect(kinds.length).toBeGreaterThan(5);
      const bodyOf = (model: Model, reasoning: ThinkingLevel) =>
        protocol.buildRequest({
          model,
          systemPrompt: "Be brief.",
          messages: prepareTranscript(context.messages, model).messages,
          tools: context.tools ?? [],
          options: { reasoning, maxTokens: 100, temperature: 0.5, cacheRetention: "long", sessionId: "s" },
        }).body;
      const bodies = kinds.flatMap((model) => levels.map((level) => bodyOf(model, level)));
      expect(JSON.parse(JSON.stringify(bodies))).toEqual(bodies);
    },
  );
});
