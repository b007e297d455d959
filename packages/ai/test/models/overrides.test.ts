import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog, getModel, type ModelOverrides } from "@rondo/ai";
import { loadModelOverrides, ModelOverridesError } from "@rondo/ai/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { overrideEntries } from "../../src/models/overrides.ts";
import { checkOverrides } from "../../src/models/overrides-check.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-models-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const OVERRIDES: ModelOverrides = {
  providers: {
    anthropic: {
      baseUrl: "https://proxy.example.com",
      headers: { "x-team": "{TEAM}" },
      models: [
        { id: "claude-sonnet-5", cost: { input: 1 }, quirks: { supportsTemperature: true } },
        { id: "claude-private", name: "Private", contextWindow: 1_000 },
      ],
    },
    box: {
      name: "The box",
      api: "openai-completions",
      baseUrl: "http://box:8000/v1",
      apiKeyEnv: ["BOX_KEY"],
      quirks: { thinkingFormat: "chat-template", keyless: true },
      models: [{ id: "qwen", reasoning: true, contextWindow: 32_768 }],
    },
  },
};

describe("overrides in a catalog", () => {
  const catalog = createCatalog({ overrides: OVERRIDES });

  test("change a known model one price and one quirk at a time", () => {
    const before = getModel("anthropic", "claude-sonnet-5");
    expect(catalog.getModel("anthropic", "claude-sonnet-5")).toEqual({
      ...before,
      baseUrl: "https://proxy.example.com",
      headers: { "x-team": "{TEAM}" },
      cost: { ...before.cost, input: 1 },
      quirks: { ...before.quirks, supportsTemperature: true },
    });
  });

  test("add a model to a known provider", () => {
    expect(catalog.getModel("anthropic", "claude-private")).toEqual({
      id: "claude-private",
      name: "Private",
      api: "anthropic-messages",
      provider: "anthropic",
      baseUrl: "https://proxy.example.com",
      headers: { "x-team": "{TEAM}" },
      reasoning: false,
      input: ["text"],
      cost: {},
      contextWindow: 1_000,
    });
  });

  test("add a provider with safe quirks and its own variable for the key", () => {
    expect(catalog.getProviders().at(-1)).toBe("box");
    expect(catalog.getModel("box", "qwen")).toEqual({
      id: "qwen",
      name: "qwen",
      api: "openai-completions",
      provider: "box",
      baseUrl: "http://box:8000/v1",
      keyEnv: ["BOX_KEY"],
      reasoning: true,
      input: ["text"],
      cost: {},
      contextWindow: 32_768,
      quirks: expect.objectContaining({
        maxTokensField: "max_tokens",
        systemRole: "system",
        thinkingFormat: "chat-template",
        keyless: true,
      }),
    });
    expect(catalog.findModel("qwen").model?.provider).toBe("box");
    expect(catalog.findModel("box/qwen:low")).toMatchObject({ model: { provider: "box" }, thinkingLevel: "low" });
  });

  test("leave the built-in catalog and their own input alone", () => {
    const copy = structuredClone(OVERRIDES);
    catalog.getModels();
    expect(OVERRIDES).toEqual(copy);
    expect(getModel("anthropic", "claude-sonnet-5").baseUrl).toBe("https://api.anthropic.com");
  });

  test("of two changes to one id both hold", () => {
    expect(
      overrideEntries(
        [{ id: "a", cost: { input: 1 } }],
        [
          { id: "a", cost: { output: 2 } },
          { id: "a", name: "A" },
        ],
      ),
    ).toEqual([{ id: "a", name: "A", cost: { input: 1, output: 2 } }]);
  });
});

describe("what is wrong with a models.json", () => {
  const inProvider = (provider: unknown) => ({ providers: { openai: provider } });
  const inModel = (model: unknown) => inProvider({ models: [model] });

  test.each<[string, unknown, string[]]>([
    ["nothing", { $schema: "x", ...OVERRIDES }, []],
    ["a list", [], ["the file: must be an object, not a list"]],
    ["null", null, ["the file: must be an object, not null"]],
    ["no providers", {}, ['the file: has no "providers"']],
    ["providers as a list", { providers: [] }, ["providers: must be an object, not a list"]],
    ["another key", { providers: {}, provider: {} }, ["provider: is not known; did you mean providers?"]],
    [
      "a new provider without an address",
      { providers: { antropic: { name: "x" } } },
      ['providers.antropic: a new provider needs "api" and "baseUrl" (or was anthropic meant?)'],
    ],
    [
      "an unknown API",
      inProvider({ api: "openai" }),
      [expect.stringMatching(/^providers\.openai\.api: must be "anthropic-messages" or .*, not "openai"$/)],
    ],
    [
      "a base URL without http",
      inProvider({ baseUrl: "api.example.com" }),
      [expect.stringMatching(/^providers\.openai\.baseUrl: must be a URL .*, not "api\.example\.com"$/)],
    ],
    ["a base URL that is a placeholder", inProvider({ baseUrl: "{MY_URL}" }), []],
    [
      "keys in the file",
      inProvider({ apiKey: "sk-123" }),
      ["providers.openai.apiKey: is not known; did you mean apiKeyEnv?"],
    ],
    [
      "a variable that is no list",
      inProvider({ apiKeyEnv: "X" }),
      ['providers.openai.apiKeyEnv: must be a list, not "X"'],
    ],
    [
      "a header that is no text",
      inProvider({ headers: { a: 1 } }),
      ["providers.openai.headers.a: must be a text, not 1"],
    ],
    [
      "a quirk that is not known",
      inProvider({ quirks: { supportStore: true } }),
      [
        "providers.openai.quirks.supportStore: is not known; did you mean supportsStore or supportsTools or supportsToolChoice?",
      ],
    ],
    [
      "a quirk of another type",
      inProvider({ quirks: { keyless: "yes" } }),
      ['providers.openai.quirks.keyless: must be true or false, not "yes"'],
    ],
    ["a model without an id", inModel({ name: "x" }), ['providers.openai.models[0]: has no "id"']],
    ["a model that is a text", inModel("gpt"), ['providers.openai.models[0]: must be an object, not "gpt"']],
    [
      "a negative price",
      inModel({ id: "a", cost: { input: -1 } }),
      ["providers.openai.models[0].cost.input: must be a price in US dollars per million tokens, not -1"],
    ],
    [
      "a tier without a threshold",
      inModel({ id: "a", cost: { tiers: [{ input: 1 }] } }),
      ['providers.openai.models[0].cost.tiers[0]: has no "inputTokensAbove"'],
    ],
    [
      "a window of half a token",
      inModel({ id: "a", contextWindow: 0.5 }),
      ["providers.openai.models[0].contextWindow: must be a whole number above 0, not 0.5"],
    ],
    [
      "another kind of input",
      inModel({ id: "a", input: ["video"] }),
      ['providers.openai.models[0].input[0]: must be "text" or "image" or "pdf", not "video"'],
    ],
    [
      "a level that there is not",
      inModel({ id: "a", thinkingLevelMap: { hi: "x" } }),
      [expect.stringMatching(/^providers\.openai\.models\[0\]\.thinkingLevelMap\.hi: is not known/)],
    ],
    [
      "two things",
      inModel({ id: 1, reasoning: 1 }),
      [
        "providers.openai.models[0].id: must be a text, not 1",
        "providers.openai.models[0].reasoning: must be true or false, not 1",
      ],
    ],
  ])("%s", (_name, content, problems) => {
    expect(checkOverrides(content)).toEqual(problems);
  });
});

describe("loadModelOverrides", () => {
  const written = async (text: string): Promise<string> => {
    const path = join(folder, `models-${Math.random()}.json`);
    await writeFile(path, text);
    return path;
  };

  test("reads a good file", async () => {
    expect(await loadModelOverrides(await written(JSON.stringify(OVERRIDES)))).toEqual(OVERRIDES);
  });

  test("no file is no overrides", async () => {
    expect(await loadModelOverrides(join(folder, "missing.json"))).toBeUndefined();
  });

  test("a folder is an error of the file system", async () => {
    await expect(loadModelOverrides(folder)).rejects.toThrow(/EISDIR/);
  });

  test("all problems are named with the file", async () => {
    const path = await written('{"providers":{"openai":{"baseUrl":1,"models":{}}}}');
    const error = (await loadModelOverrides(path).catch((reason: unknown) => reason)) as ModelOverridesError;
    expect(error).toBeInstanceOf(ModelOverridesError);
    expect(error.problems).toEqual([
      "providers.openai.baseUrl: must be a URL such as https://api.example.com/v1, not 1",
      "providers.openai.models: must be a list, not an object",
    ]);
    expect(error.message.split("\n")).toEqual([
      `${path} cannot be used:`,
      ...error.problems.map((each) => `  ${each}`),
    ]);
  });

  test.each([
    ["a comma too many", '{\n  "providers": {\n    "openai": {},\n  }\n}', /^line 4, column 3: not valid JSON/],
    ["a file that is cut off", '{\n  "providers": {', /^line 2, column \d+: not valid JSON/],
    ["an empty file", "", /^line 1, column 1: not valid JSON/],
  ])("%s is named with its line", async (_name, text, problem) => {
    const error = (await loadModelOverrides(await written(text)).catch(
      (reason: unknown) => reason,
    )) as ModelOverridesError;
    expect(error.problems).toHaveLength(1);
    expect(error.problems[0]).toMatch(problem);
  });
});
