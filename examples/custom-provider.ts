// A provider with a wire protocol of its own: two pure functions and one call. This one is invented, and served right here, so that the
// program runs without a key. docs/adding-a-provider.md explains each part, and how to prove that yours keeps the contract.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiProtocol, createModelLayer, type Model } from "@rondo/ai";

/** One event of our invented wire: a word, or why it ended. */
interface Frame {
  word?: string;
  over?: "said" | "cut";
}

const parrot: ApiProtocol = {
  api: "parrot",
  address: { endpoint: /\/talk$/, version: "", sdkAddsVersion: false },
  buildRequest: ({ messages }) => ({ body: { heard: messages.map(({ content }) => content) }, diagnostics: [] }),
  send: ({ body, baseUrl, fetch, signal }) =>
    fetch(`${baseUrl}/talk`, { method: "POST", body: JSON.stringify(body), signal }),
  createDecoder: ({ builder }) => ({
    frame(payload) {
      const { word, over } = payload as Frame;
      if (word) builder.appendText(`${word} `);
      if (over) builder.finish(over === "cut" ? "length" : "stop", over);
      return true;
    },
    end: () => {}, // a stream without "over" was cut off, and the driver says so
  }),
};

export async function main(print: (text: string) => void = console.log): Promise<void> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const words: string[] = JSON.parse(body).heard.at(-1).split(" ");
    for (const word of words) response.write(`data: ${JSON.stringify({ word })}\n\n`);
    response.end(`data: {"over":"said"}\n\n`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  const { completeSimple } = createModelLayer({ apis: { parrot } });
  const model: Model = {
    id: "polly",
    name: "Polly",
    api: "parrot",
    provider: "aviary",
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reasoning: false,
    input: ["text"],
    cost: {},
  };
  const answer = await completeSimple(model, {
    messages: [{ role: "user", content: "Polly wants a cracker", timestamp: Date.now() }],
  });
  for (const block of answer.content) if (block.type === "text") print(`${model.name}: ${block.text.trim()}`);
  if (answer.errorMessage) print(answer.errorMessage);
  server.close();
}

if (process.argv[1] === import.meta.filename) await main();
