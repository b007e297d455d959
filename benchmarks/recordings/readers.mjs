// One recorded answer, read by Rondo or by a peer, in terms that can be compared: the text, the tool calls, and whether it was called whole.
// A reader that throws, or calls an answer whole that is not, is told apart by `ended`.

const context = { messages: [{ role: "user", content: "Hello", timestamp: 0 }] };
const modelAt = (api, baseUrl) => ({
  id: "m",
  name: "m",
  api,
  provider: "recorded",
  baseUrl,
  reasoning: true,
  input: ["text", "image"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 4_096,
});

/** Both libraries with pi's shape of a stream function. */
async function readStream(streamSimple, api, baseUrl) {
  const stream = streamSimple(modelAt(api, baseUrl), context, { apiKey: "none", maxRetries: 0 });
  for await (const _event of stream);
  const message = await stream.result();
  const blocks = (type) => message.content.filter((block) => block.type === type);
  return {
    text: blocks("text")
      .map((block) => block.text)
      .join(""),
    toolCalls: blocks("toolCall").map((block) => ({ name: block.name, arguments: block.arguments })),
    ended: message.stopReason === "error" || message.stopReason === "aborted" ? "error" : "done",
  };
}

async function rondo() {
  const { streamSimple } = await import("@rondo/ai");
  return (api, baseUrl) => readStream(streamSimple, api, baseUrl);
}

async function pi() {
  const apis = {
    "anthropic-messages": (await import("../peers/node_modules/@earendil-works/pi-ai/dist/api/anthropic-messages.js"))
      .streamSimple,
    "openai-completions": (await import("../peers/node_modules/@earendil-works/pi-ai/dist/api/openai-completions.js"))
      .streamSimple,
    "openai-responses": (await import("../peers/node_modules/@earendil-works/pi-ai/dist/api/openai-responses.js"))
      .streamSimple,
    "google-generative-ai": (
      await import("../peers/node_modules/@earendil-works/pi-ai/dist/api/google-generative-ai.js")
    ).streamSimple,
  };
  return (api, baseUrl) => readStream(apis[api], api, baseUrl);
}

async function aiSdk() {
  const { createRequire } = await import("node:module");
  const { pathToFileURL } = await import("node:url");
  const require = createRequire(new URL("../peers/package.json", import.meta.url));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  const [{ createAnthropic }, { createOpenAI }, { createGoogleGenerativeAI }, { streamText }] = await Promise.all(
    ["@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/google", "ai"].map(load),
  );
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const models = {
    // The SDK adds no version of its own to Anthropic's address.
    "anthropic-messages": (baseURL) => createAnthropic({ baseURL: `${baseURL}/v1`, apiKey: "none" })("m"),
    "openai-completions": (baseURL) => createOpenAI({ baseURL, apiKey: "none" }).chat("m"),
    "openai-responses": (baseURL) => createOpenAI({ baseURL, apiKey: "none" }).responses("m"),
    "google-generative-ai": (baseURL) => createGoogleGenerativeAI({ baseURL, apiKey: "none" })("m"),
  };
  return async (api, baseUrl) => {
    const { fullStream } = streamText({ model: models[api](baseUrl), prompt: "Hello", maxRetries: 0, onError() {} });
    const answer = { text: "", toolCalls: [], ended: "done" };
    for await (const part of fullStream) {
      if (part.type === "text-delta") answer.text += part.text;
      if (part.type === "tool-call" && !part.providerExecuted)
        answer.toolCalls.push({ name: part.toolName, arguments: part.input });
      if (part.type === "error") answer.ended = "error";
    }
    return answer;
  };
}

/** Readers by the name that the table shows. */
export const READERS = { Rondo: rondo, "pi-ai": pi, "AI SDK": aiSdk };
