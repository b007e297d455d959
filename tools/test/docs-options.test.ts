// docs/options.md says what each API makes of each option. Its table is written from requests that are built here; the rest of the
// options mean the same everywhere, which is tried here too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  type Context,
  complete,
  type Diagnostic,
  getModel,
  type Model,
  type SimpleStreamOptions,
  Type,
} from "../../packages/ai/src/index.ts";
import { ROOT } from "./docs-markdown.ts";

/** One model for each API, by the vendor whose API it is. It takes all that its API has. */
const MODELS: Model[] = [
  getModel("anthropic", "claude-sonnet-4-5"),
  getModel("openai-chat", "gpt-5.1"),
  getModel("openai", "gpt-5.1"),
  getModel("google", "gemini-2.5-pro"),
].map((model) => ({ ...model, quirks: { ...model.quirks, supportsTemperature: true } }));

const CONTEXT: Context = {
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: "Hello", timestamp: 0 }],
  tools: [{ name: "clock", description: "Tells the time", parameters: Type.Object({ zone: Type.String() }) }],
};

/** An option, as it stands in the table, and what it is compared with. */
interface Probe {
  shown: string;
  options: SimpleStreamOptions;
  without?: SimpleStreamOptions;
}

/** The options that go into a request, in the order of the table. */
const PROBES = {
  temperature: [{ shown: "temperature", options: { temperature: 0.5 } }],
  maxTokens: [{ shown: "maxTokens", options: { maxTokens: 1_000 } }],
  stopSequences: [{ shown: "stopSequences", options: { stopSequences: ["END"] } }],
  toolChoice: [{ shown: "toolChoice", options: { toolChoice: "required" } }],
  parallelToolCalls: [{ shown: "parallelToolCalls: false", options: { parallelToolCalls: false } }],
  responseSchema: [
    { shown: "responseSchema", options: { responseSchema: { schema: Type.Object({ answer: Type.String() }) } } },
  ],
  reasoning: [{ shown: "reasoning", options: { reasoning: "high" } }],
  thinkingBudgets: [
    {
      shown: "thinkingBudgets",
      options: { reasoning: "high", thinkingBudgets: { high: 5_000 } },
      without: { reasoning: "high" },
    },
  ],
  cacheRetention: [
    { shown: 'cacheRetention: "none"', options: { cacheRetention: "none" } },
    { shown: 'cacheRetention: "long"', options: { cacheRetention: "long" } },
  ],
  sessionId: [{ shown: "sessionId", options: { sessionId: "conversation-1" } }],
  metadata: [{ shown: "metadata", options: { metadata: { user_id: "user-1" } } }],
} satisfies Partial<Record<keyof SimpleStreamOptions, Probe[]>>;

/** The options that mean the same on every API. */
const EVERYWHERE = [
  "signal",
  "apiKey",
  "env",
  "headers",
  "extraBody",
  "onPayload",
  "onResponse",
  "onFrame",
  "fetch",
  "firstByteTimeoutMs",
  "idleTimeoutMs",
  "totalTimeoutMs",
] as const satisfies (keyof SimpleStreamOptions)[];

/** A new option that stands in neither list does not compile here. */
type Forgotten = Exclude<keyof SimpleStreamOptions, keyof typeof PROBES | (typeof EVERYWHERE)[number]>;
const nothingForgotten: [Forgotten] extends [never] ? true : Forgotten = true;

const refuse: typeof fetch = async () => new Response("{}", { status: 400 });

/** Makes one request and catches it before it leaves. */
async function requestFor(
  model: Model,
  options: SimpleStreamOptions,
): Promise<{ body: unknown; diagnostics: Diagnostic[] }> {
  let body: unknown;
  const onPayload = (payload: unknown): void => {
    body = structuredClone(payload);
  };
  const message = await complete(model, CONTEXT, { ...options, apiKey: "none-needed", fetch: refuse, onPayload });
  return { body, diagnostics: message.diagnostics ?? [] };
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The places that differ, each by the names on the way to it. What is added as a whole is opened once. */
function differences(before: unknown, after: unknown, path = ""): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const isAdded = before === undefined && path !== "" && !path.includes(".") && !Array.isArray(after);
  const known = isAdded ? {} : before;
  if (!isContainer(known) || !isContainer(after)) return [path];
  const names = [...new Set([...Object.keys(known), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const step = Array.isArray(after) ? `${path}[]` : path === "" ? name : `${path}.${name}`;
    return differences(known[name], after[name], step);
  });
}

async function cell(model: Model, { options, without = {} }: Probe): Promise<string> {
  const [before, after] = [await requestFor(model, without), await requestFor(model, options)];
  const places = [...new Set(differences(before.body, after.body))].map((place) => `\`${place}\``).join(", ");
  const codes = after.diagnostics.map(({ code }) => `\`${code}\``).join(", ");
  return [places, codes].filter(Boolean).join("; ") || "–";
}

async function table(): Promise<string> {
  const rows = await Promise.all(
    Object.values<Probe[]>(PROBES)
      .flat()
      .map(async (probe) => {
        const cells = await Promise.all(MODELS.map((model) => cell(model, probe)));
        return `| \`${probe.shown}\` | ${cells.join(" | ")} |`;
      }),
  );
  const apis = MODELS.map(({ api }) => `\`${api}\``).join(" | ");
  return [`| option | ${apis} |`, "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}

test("docs/options.md ends with the table of what each API makes of each option", async () => {
  const file = join(ROOT, "docs/options.md");
  const written = readFileSync(file, "utf8");
  const marker = /<!-- generated from [^>]*-->\n/.exec(written);
  const before = written.slice(0, (marker?.index ?? 0) + (marker?.[0].length ?? 0));
  await expect(`${before}\n${await table()}\n`).toMatchFileSnapshot(file);
});

test("docs/options.md has a row for each option that means the same everywhere", () => {
  const section = readFileSync(join(ROOT, "docs/options.md"), "utf8").split("## Diagnostics")[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]);
  expect(rows).toEqual([...EVERYWHERE]);
  expect(nothingForgotten).toBe(true);
});

describe.each(MODELS)("the options that mean the same everywhere, on $api", (model) => {
  const call = (options: SimpleStreamOptions): Promise<AssistantMessage> =>
    complete(model, CONTEXT, { apiKey: "none-needed", fetch: refuse, ...options });

  test("shape the request and see it, its response and its frames", async () => {
    const seen: unknown[] = [];
    let sent: { headers: Headers; body: Record<string, unknown> } | undefined;
    await call({
      headers: { "x-team": "blue" },
      extraBody: { extra: 1 },
      onPayload: (payload) => ({ ...(payload as object), late: 2 }),
      onResponse: ({ status }) => void seen.push(status),
      onFrame: ({ data }) => void seen.push(data),
      fetch: async (_url, init) => {
        sent = { headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) };
        return new Response('data: {"ping":true}\n\n', { headers: { "content-type": "text/event-stream" } });
      },
    });
    expect(sent?.headers.get("x-team")).toBe("blue");
    expect(sent?.body).toMatchObject({ extra: 1, late: 2 });
    expect(seen).toEqual([200, '{"ping":true}']);
  });

  test("find the key", async () => {
    const keys: string[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      keys.push([...new Headers(init?.headers).values()].filter((value) => value.includes("secret-")).join());
      return new Response("{}", { status: 400 });
    };
    await call({ apiKey: "secret-1", fetch });
    const [name = ""] = { anthropic: ["ANTHROPIC_API_KEY"], google: ["GEMINI_API_KEY"] }[model.provider] ?? [
      "OPENAI_API_KEY",
    ];
    await complete(model, CONTEXT, { env: { [name]: "secret-2" }, fetch });
    expect(keys.map((key) => key.replace("Bearer ", ""))).toEqual(["secret-1", "secret-2"]);
  });

  test("end the call", async () => {
    const never: typeof fetch = () => new Promise(() => {});
    const silent: typeof fetch = async () =>
      new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    const codes = await Promise.all([
      call({ fetch: never, firstByteTimeoutMs: 1 }),
      call({ fetch: silent, idleTimeoutMs: 1 }),
      call({ fetch: never, totalTimeoutMs: 1 }),
      call({ fetch: never, signal: AbortSignal.abort() }),
    ]);
    expect(codes.map(({ error }) => error?.code ?? error?.kind)).toEqual([
      "firstByteTimeoutMs",
      "idleTimeoutMs",
      "totalTimeoutMs",
      "aborted",
    ]);
  });
});
