// What callers without types get wrong most often, and the sentence that they read.
import { type Context, completeSimple, customModel, type SimpleStreamOptions } from "@rondo/ai";
import { expect, test } from "vitest";
import { failureOf } from "../src/wire/failure.ts";

const model = customModel({ baseUrl: "http://127.0.0.1:9/v1", id: "any" });
const hello: Context = { messages: [{ role: "user", content: "Hello", timestamp: 0 }] };

test.each<[what: object, sentence: string]>([
  [
    { responseSchema: { type: "object" } },
    "options.responseSchema must be an object { schema } that holds the JSON Schema, not a value of type object.",
  ],
  [
    { reasoning: "hgih" },
    "options.reasoning must be one of off, minimal, low, medium, high, xhigh, max, not a value of type string.",
  ],
])("%j", async (options, sentence) => {
  const { errorMessage, error } = await completeSimple(model, hello, options as SimpleStreamOptions);
  expect([error?.code, errorMessage]).toEqual(["bad_option", sentence]);
});

test("a host that nobody knows may be a network that is not there", () => {
  const thrown = Object.assign(new Error("getaddrinfo ENOTFOUND api.anthropic.com"), { code: "ENOTFOUND" });
  const server = { provider: "anthropic", baseUrl: "https://api.anthropic.com" };
  expect(failureOf(thrown, server, []).sentence).toBe(
    "anthropic (api.anthropic.com) was not found: nobody knows this host name. Check the network, and the base URL if it is your own.",
  );
});
