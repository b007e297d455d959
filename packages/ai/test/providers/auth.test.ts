import { describeAuth, resolveApiKey } from "@rondo/ai";
import { describe, expect, test } from "vitest";
import { maskKey } from "../../src/providers/auth.ts";

const store = (keys: Record<string, string>) => ({ get: (provider: string) => Promise.resolve(keys[provider]) });
const GOOGLE = { provider: "google" };
const KEY = "key-0123456789-abcdefgh-WXYZ";

describe("resolveApiKey", () => {
  const everything = {
    apiKey: "from-option",
    getApiKey: () => "from-callback",
    env: { GEMINI_API_KEY: "from-gemini", GOOGLE_API_KEY: "from-google" },
    store: store({ google: "from-store" }),
  };

  test.each([
    ["the option first", everything, { key: "from-option", source: "option" }],
    ["then the callback", { ...everything, apiKey: " " }, { key: "from-callback", source: "callback" }],
    [
      "then the first variable",
      { ...everything, apiKey: "", getApiKey: () => undefined },
      { key: "from-gemini", source: "environment", variable: "GEMINI_API_KEY" },
    ],
    [
      "then the next variable, where the first is empty",
      { env: { GEMINI_API_KEY: "", GOOGLE_API_KEY: " from-google\n" }, store: everything.store },
      { key: "from-google", source: "environment", variable: "GOOGLE_API_KEY" },
    ],
    ["then the store", { env: {}, store: everything.store }, { key: "from-store", source: "store" }],
    ["nothing else", { env: { API_KEY: "x", GH_TOKEN: "x" }, store: store({ openai: "x" }) }, undefined],
  ])("%s", async (_name, sources, found) => {
    expect(await resolveApiKey(GOOGLE, sources)).toEqual(found);
  });

  test("a model's own variables stand in place of the provider's", async () => {
    const env = { GEMINI_API_KEY: "google's", MY_KEY: "mine" };
    expect(await resolveApiKey({ provider: "google", keyEnv: ["MY_KEY"] }, { env })).toEqual({
      key: "mine",
      source: "environment",
      variable: "MY_KEY",
    });
    expect(await resolveApiKey({ provider: "google", keyEnv: [] }, { env })).toBeUndefined();
  });

  test("the callback is asked each time, so that a key may come later or expire", async () => {
    const answers = [undefined, "first", "second"];
    const sources = { getApiKey: () => answers.shift(), env: {} };
    const keys = [];
    for (let call = 0; call < 3; call++) keys.push((await resolveApiKey(GOOGLE, sources))?.key);
    expect(keys).toEqual([undefined, "first", "second"]);
  });

  test("the environment is left as it was", async () => {
    const env = Object.freeze({ GEMINI_API_KEY: "x" });
    expect((await resolveApiKey(GOOGLE, { env }))?.key).toBe("x");
  });
});

describe("describeAuth", () => {
  test("says what is found where, with the end of a long key alone", async () => {
    const description = await describeAuth("google", {
      env: { GOOGLE_API_KEY: KEY },
      store: store({ google: "short" }),
    });
    expect(description).toEqual({
      provider: "google",
      usable: true,
      keyless: false,
      source: "environment",
      variables: [
        { name: "GEMINI_API_KEY", found: false },
        { name: "GOOGLE_API_KEY", found: true, shown: "…WXYZ" },
      ],
      stored: { found: true, shown: "…" },
      missingSettings: [],
      summary: "Google Gemini: key …WXYZ from GOOGLE_API_KEY.",
    });
    expect(JSON.stringify(description)).not.toContain(KEY);
  });

  test.each([
    ["openai", {}, undefined, false, "OpenAI: no key; set OPENAI_API_KEY."],
    ["openai", {}, { openai: KEY }, true, "OpenAI: key …WXYZ from the credential file."],
    ["ollama", {}, undefined, true, "Ollama: no key needed, at http://127.0.0.1:11434/v1."],
    ["ollama", { OLLAMA_BASE_URL: "http://box:1/v1" }, undefined, true, "Ollama: no key needed, at http://box:1/v1."],
    [
      "ollama",
      { OLLAMA_BASE_URL: `http://me:${KEY}@box:1/v1?key=${KEY}` },
      undefined,
      true,
      "Ollama: no key needed, at http://box:1/v1.",
    ],
    [
      "azure",
      { AZURE_OPENAI_API_KEY: KEY },
      undefined,
      false,
      "Azure OpenAI: set AZURE_OPENAI_RESOURCE_NAME or AZURE_RESOURCE_NAME.",
    ],
    [
      "azure",
      { AZURE_OPENAI_API_KEY: KEY, AZURE_RESOURCE_NAME: "team" },
      undefined,
      true,
      "Azure OpenAI: key …WXYZ from AZURE_OPENAI_API_KEY.",
    ],
    ["nobody", {}, undefined, false, 'There is no provider "nobody".'],
  ])("%s with %j and %j", async (provider, env, keys, usable, summary) => {
    const description = await describeAuth(provider, { env, ...(keys && { store: store(keys) }) });
    expect([description.usable, description.summary]).toEqual([usable, summary]);
  });

  test("a mask never shows a fifth of a key", () => {
    for (const key of ["", "a", "abcd", "1234567890123456789", KEY]) {
      const shown = maskKey(key).replace("…", "");
      expect(shown.length * 5).toBeLessThanOrEqual(key.length);
    }
  });
});
