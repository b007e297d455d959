import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCatalog, getModel, getModels, type ProviderData } from "@rondo/ai";
import { catalogDirectory, refreshCatalog } from "@rondo/ai/node";
import { startReplayServer } from "@rondo/test-fixtures";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CatalogSource, formatOf, mergeProvider } from "../../src/models/refresh/merge.ts";
import { providerRow } from "../../src/providers/rows.ts";

const row = (id: string) => providerRow(id) as NonNullable<ReturnType<typeof providerRow>>;
const chat = { modalities: { input: ["text", "image"], output: ["text"] }, tool_call: true };

/** In the format of models.dev. */
const OLD = {
  anthropic: {
    models: {
      "claude-1": {
        ...chat,
        id: "claude-1",
        name: "Claude 1",
        limit: { context: 1_000, output: 100 },
        cost: { input: 1, output: 2 },
      },
      "claude-2": {
        ...chat,
        name: "Claude 2 (latest)",
        reasoning: true,
        temperature: false,
        reasoning_options: [{ type: "effort", values: ["low", "high"] }],
        modalities: { input: ["text", "pdf", "audio"], output: ["text"] },
        limit: { context: 2_000, output: 2_000 },
        cost: {
          input: 1,
          output: 5,
          cache_read: 0.1,
          cache_write: 0,
          tiers: [{ tier: { type: "context", size: 500 }, input: 2, output: 10 }],
        },
      },
      "claude-toolless": { ...chat, tool_call: false },
      "claude-image": { ...chat, modalities: { input: ["text"], output: ["image"] } },
      "claude-embed": chat,
    },
  },
  groq: {
    models: {
      m: { ...chat, cost: { input: 0, output: 0 }, limit: { context: 0, output: 0 }, status: "deprecated" },
      "m:free": { ...chat, cost: { input: 0, output: 0 } },
      over: { ...chat, cost: { input: 1, output: 2, context_over_200k: { input: 3, output: 4 } } },
      "other-api": { ...chat, provider: { npm: "@ai-sdk/anthropic" } },
      broken: 5,
    },
  },
};

/** Lists of facts per provider. */
const NEW = {
  anthropic: [
    {
      id: "claude-2",
      name: "Claude 2",
      api: "anthropic-messages",
      reasoning: true,
      input: ["text", "image"],
      cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 0 },
      contextWindow: 3_000,
      maxTokens: 300,
      reasoningLevels: { off: null, max: "max" },
      quirks: { forceAdaptiveThinking: true, supportsSomethingElse: true },
    },
    {
      id: "claude-3:batch",
      name: "x",
      api: "anthropic-messages",
      reasoning: false,
      input: ["text"],
      cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 1,
      maxTokens: 1,
    },
  ],
};

const sources = [
  { format: formatOf(OLD), label: "models.dev (MIT), 2026-01", content: OLD },
  { format: formatOf(NEW), label: "facts by hand, 2026-02", content: NEW },
];

const CLAUDE_1 = {
  id: "claude-1",
  name: "Claude 1",
  deprecated: true,
  input: ["text", "image", "pdf"],
  cost: { input: 1, output: 2 },
  contextWindow: 1_000,
  maxTokens: 100,
};
const CLAUDE_2 = {
  id: "claude-2",
  name: "Claude 2",
  reasoning: true,
  thinkingLevelMap: { off: null, max: "max" },
  input: ["text", "image", "pdf"],
  cost: { input: 3, output: 15, cacheRead: 0.3 },
  contextWindow: 3_000,
  maxTokens: 300,
  quirks: { supportsTemperature: false, adaptiveThinking: true },
};

describe("sources become data", () => {
  test("the format is told from the content", () => {
    expect([formatOf(OLD), formatOf(NEW), formatOf({}), formatOf(null)]).toEqual([
      "models.dev",
      "facts",
      "models.dev",
      "models.dev",
    ]);
  });

  test("the newest source decides; what it no longer lists is deprecated", () => {
    expect(mergeProvider(row("anthropic"), sources)).toEqual({
      provider: "anthropic",
      sources: ["models.dev (MIT), 2026-01", "facts by hand, 2026-02"],
      models: [CLAUDE_1, CLAUDE_2],
    });
  });

  test("one source in the format of models.dev", () => {
    expect(mergeProvider(row("anthropic"), sources.slice(0, 1))?.models).toEqual([
      { ...CLAUDE_1, deprecated: undefined },
      {
        id: "claude-2",
        name: "Claude 2",
        reasoning: true,
        thinkingLevelMap: { off: null, minimal: null, low: "low", medium: null, high: "high", xhigh: null, max: null },
        input: ["text", "pdf"],
        cost: { input: 1, output: 5, cacheRead: 0.1, tiers: [{ inputTokensAbove: 500, input: 2, output: 10 }] },
        contextWindow: 2_000,
        quirks: { supportsTemperature: false },
      },
      { id: "claude-toolless", input: ["text", "image", "pdf"] },
    ]);
  });

  test("prices of nothing are unknown unless the model says that it is free; zero limits are unknown", () => {
    expect(mergeProvider(row("groq"), sources)?.models).toEqual([
      { id: "m", deprecated: true, input: ["text", "image"] },
      { id: "m:free", input: ["text", "image"], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
      {
        id: "over",
        input: ["text", "image"],
        cost: { input: 1, output: 2, tiers: [{ inputTokensAbove: 200_000, input: 3, output: 4 }] },
      },
    ]);
  });

  test("a provider that nobody knows has no data", () => {
    expect(mergeProvider(row("mistral"), sources)).toBeUndefined();
  });

  test("what is there already is the oldest source, and merging again changes nothing", () => {
    const first = mergeProvider(row("anthropic"), sources) as ProviderData;
    expect(mergeProvider(row("anthropic"), [], first)).toEqual(first);
    expect(mergeProvider(row("anthropic"), sources, first)).toEqual(first);
    expect(mergeProvider(row("anthropic"), sources.slice(1), first)).toEqual(first);
  });

  test.each([
    ["toggle alone", [{ type: "toggle" }], { minimal: null, low: null, medium: null }],
    ["a budget", [{ type: "toggle" }, { type: "budget_tokens", min: 1 }], undefined],
    ["a budget beside words", [{ type: "effort", values: ["high"] }, { type: "budget_tokens" }], undefined],
    [
      "none among the words",
      [{ type: "effort", values: ["none", "high"] }],
      { off: "none", minimal: null, low: null, medium: null, high: "high", xhigh: null, max: null },
    ],
    [
      "a toggle beside words",
      [{ type: "toggle" }, { type: "effort", values: ["max"] }],
      { minimal: null, low: null, medium: null, high: null, xhigh: null, max: "max" },
    ],
    ["no option at all", [], { off: null, minimal: null, low: null, medium: null, high: null, xhigh: null, max: null }],
  ])("levels from %s", (_name, reasoning_options, thinkingLevelMap) => {
    const content = { xai: { models: { m: { ...chat, reasoning: true, reasoning_options } } } };
    const merged = mergeProvider(row("xai"), [{ format: "models.dev", label: "x", content }]);
    expect(merged?.models[0]?.thinkingLevelMap).toEqual(thinkingLevelMap);
  });

  test("a chat model without any option cannot be asked, until a newer source has levels for it", () => {
    const content = { groq: { models: { m: { ...chat, reasoning: true, reasoning_options: [] } } } };
    const old = { format: "models.dev", label: "old", content } as const;
    const fact = { ...NEW.anthropic[0], id: "m", api: "openai-completions", quirks: {} };
    const facts = (reasoningLevels: object | undefined) =>
      ({ format: "facts", label: "new", content: { groq: [{ ...fact, reasoningLevels }] } }) as const;
    const quirksAfter = (...sources: CatalogSource[]) => mergeProvider(row("groq"), sources)?.models[0]?.quirks;
    expect(quirksAfter(old)).toEqual({ thinkingFormat: "none" });
    expect(quirksAfter(old, facts(undefined))).toEqual({ thinkingFormat: "none" });
    expect(quirksAfter(old, facts({ off: null, high: "high" }))).toBeUndefined();
  });

  test("a newer source may say that a model does not think", () => {
    const facts = { ...NEW.anthropic[0], reasoning: false };
    const merged = mergeProvider(row("anthropic"), [
      sources[0] as CatalogSource,
      { format: "facts", label: "new", content: { anthropic: [facts] } },
    ]);
    const model = merged?.models.find(({ id }) => id === "claude-2");
    expect([model?.reasoning, model?.thinkingLevelMap]).toEqual([undefined, undefined]);
  });

  test.each([
    ["null", null],
    ["a text", "x"],
    ["providers that are none", { xai: 5, groq: null }],
    ["models as a list", { xai: { models: [1] } }],
  ])("%s is no source, and no throw", (_name, content) => {
    expect(mergeProvider(row("xai"), [{ format: "models.dev", label: "x", content }])?.models ?? []).toEqual([]);
  });
});

describe("a user's own data files", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rondo-own-data-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("are refreshed over what ships, and a catalog reads them", async () => {
    const server = await startReplayServer(() => ({
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        xai: { models: { "grok-9": { ...chat, name: "Grok 9", cost: { input: 1, output: 2 } } } },
      }),
    }));
    const { changes } = await refreshCatalog({ directory: folder, sources: [`${server.url}/api.json`] });
    await server.close();
    expect(changes).toContain("+ xai/grok-9");
    expect(changes.filter((change) => !change.includes(" xai/"))).toEqual([]);
    const catalog = createCatalog({ data: catalogDirectory(folder) });
    expect(catalog.getModel("xai", "grok-9")).toMatchObject({ name: "Grok 9", cost: { input: 1, output: 2 } });
    expect(catalog.getModel("xai", "grok-4.7").deprecated).toBe(true);
    expect(catalog.getModel("openai", "gpt-5")).toEqual(getModel("openai", "gpt-5"));
  });

  test("a source that fails writes nothing and says which", async () => {
    const server = await startReplayServer((request) =>
      request.path.includes("page") ? { body: "<html>" } : { status: 503, body: "" },
    );
    const directory = join(folder, "untouched");
    const refresh = (path: string) => refreshCatalog({ directory, sources: [server.url + path] });
    await expect(refresh("/x")).rejects.toThrow(`${server.url}/x answered with status 503.`);
    await expect(refresh("/page")).rejects.toThrow(`${server.url}/page is not valid JSON.`);
    await server.close();
    await expect(refresh("/gone")).rejects.toThrow(`${server.url}/gone cannot be reached (`);
    const other = join(folder, "other.json");
    await writeFile(other, '{"error":"no such list"}');
    await expect(refreshCatalog({ directory, sources: [other] })).rejects.toThrow(
      `${other} lists no provider that is known here. Is it like models.dev's api.json?`,
    );
    await expect(readdir(directory)).rejects.toThrow(/ENOENT/);
  });

  test("a file that is older than what ships counts no more", async () => {
    const file = join(folder, "mistral.json");
    const own = (month: string) => ({
      provider: "mistral",
      sources: [`models.dev (MIT), ${month}`],
      models: [{ id: "own" }],
    });
    await writeFile(file, JSON.stringify(own("2025-01")));
    expect(catalogDirectory(folder)("mistral")?.models.length).toBe(getModels("mistral").length);
    await writeFile(file, JSON.stringify(own("2099-01")));
    expect(catalogDirectory(folder)("mistral")?.models).toEqual([{ id: "own" }]);
  });

  test("a damaged file counts as none", async () => {
    await writeFile(join(folder, "groq.json"), "{");
    expect(catalogDirectory(folder)("groq")?.models.length).toBe(getModels("groq").length);
  });
});

describe("npm run models:update", () => {
  let folder: string;
  let tool: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rondo-refresh-"));
    tool = join(folder, "models-update.mjs");
    const root = new URL("../../../../", import.meta.url);
    await build({
      input: fileURLToPath(new URL("tools/models-update.mjs", root)),
      platform: "node",
      output: { file: tool },
      logLevel: "silent",
      // The tool uses the build; the test must not depend on one.
      plugins: [
        {
          name: "sources-for-build",
          resolveId: (id) =>
            id.startsWith("../packages/ai/dist/")
              ? fileURLToPath(new URL(id.slice(3).replace("/dist/", "/src/").replace(/\.js$/, ".ts"), root))
              : undefined,
        },
      ],
    });
    await writeFile(join(folder, "models-2026-01.json"), JSON.stringify(OLD));
    await writeFile(join(folder, "facts-2026-02.json"), JSON.stringify(NEW));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "--out", join(folder, "out"), ...args], {
      encoding: "utf8",
    });
    return { status, lines: stdout.trim().split("\n"), stderr };
  };
  const both = () => ["--source", join(folder, "models-2026-01.json"), "--source", join(folder, "facts-2026-02.json")];

  test("shows what would change, writes it, and a second run changes nothing", async () => {
    const changes = ["+ anthropic/claude-1", "+ anthropic/claude-2", "+ groq/m", "+ groq/m:free", "+ groq/over"];
    const summary = "5 changes; 5 models of 2 providers";
    expect(run("--dry-run", ...both())).toEqual({ status: 0, lines: [...changes, summary], stderr: "" });
    await expect(readdir(join(folder, "out"))).rejects.toThrow(/ENOENT/);
    expect(run(...both()).lines).toEqual([...changes, summary]);
    expect(run(...both()).lines).toEqual(["0 changes; 5 models of 2 providers"]);
    expect(await readdir(join(folder, "out", "data"))).toEqual(["anthropic.json", "groq.json"]);

    const read = async (provider: string) =>
      JSON.parse(await readFile(join(folder, "out", "data", `${provider}.json`), "utf8")) as ProviderData;
    const data = { anthropic: await read("anthropic"), groq: await read("groq") };
    expect(data.anthropic.models).toEqual([CLAUDE_1, CLAUDE_2]);
    const catalog = createCatalog({ data: (provider) => data[provider as keyof typeof data] });
    expect(catalog.getModels("anthropic").map(({ id }) => id)).toEqual(["claude-1", "claude-2"]);

    const types = await readFile(join(folder, "out", "src", "models", "model-ids.generated.ts"), "utf8");
    expect(types.slice(types.indexOf("export"))).toBe(
      'export interface ModelIds {\n  "anthropic":\n    | "claude-2";\n  "groq":\n    | "m:free"\n    | "over";\n}\n',
    );
  });

  test("a change of one model is shown as one line", async () => {
    run(...both());
    const changed = structuredClone(NEW);
    (changed.anthropic[0] as { contextWindow: number }).contextWindow = 9_000;
    const path = join(folder, "facts-2026-03.json");
    await writeFile(path, JSON.stringify(changed));
    expect(run("--dry-run", "--source", path).lines).toEqual([
      "~ anthropic/claude-2",
      "1 change; 5 models of 2 providers",
    ]);
  });

  test("a source that cannot be read ends with an error and writes nothing", () => {
    const { status, stderr } = run("--source", join(folder, "missing.json"));
    expect([status, stderr.includes("missing.json")]).toEqual([1, true]);
  });
});
