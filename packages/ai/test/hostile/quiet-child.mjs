// Calls all four APIs in a process whose environment is full of settings that the SDKs read by themselves, and says how each call ended.
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const conditions = ["@rondo/source", "node", "import", "module", "default"];
const loader = await createServer({
  root,
  configFile: false,
  logLevel: "silent",
  appType: "custom",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  ssr: { resolve: { conditions, externalConditions: conditions } },
});
const { createModelLayer } = await loader.ssrLoadModule(`${root}packages/ai/src/index.ts`);
const { completeSimple } = createModelLayer();
const requests = [];
const fetch = async (url, { headers }) => {
  requests.push(
    `${url} ${["authorization", "x-api-key", "x-goog-api-key"].map((name) => headers.get(name)).join(" ")}`,
  );
  return new Response("");
};
const context = { messages: [{ role: "user", content: "Hello", timestamp: 0 }] };
const kinds = [];
for (const api of ["anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai"]) {
  const model = {
    id: "claude-2.1",
    name: "m",
    api,
    provider: "p",
    baseUrl: "http://127.0.0.1:9",
    reasoning: true,
    input: ["text"],
    cost: {},
  };
  kinds.push((await completeSimple(model, context, { apiKey: "own-key-1", fetch })).error.kind);
}
process.send({ kinds, requests });
await loader.close();
process.exit(0);
