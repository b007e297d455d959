// One call over a real socket: what the server got, and what came of its answer.
import { loadFixture, type RecordedRequest, startReplayServer } from "@rondo/test-fixtures";
import { createModelLayer } from "../../src/stream.ts";
import type { AssistantMessage, KnownApi, SimpleStreamOptions } from "../../src/types.ts";
import { user } from "./conversation.ts";
import { testModel } from "./decoding.ts";

/** Plays a fixture to a model whose base URL has the given path. */
export async function callServed(
  api: KnownApi,
  fixture: string,
  options: SimpleStreamOptions & { path?: string } = {},
): Promise<{ message: AssistantMessage; request: RecordedRequest; requests: number }> {
  const server = await startReplayServer(() => ({ body: loadFixture(api, fixture) }));
  try {
    const { path = "", ...rest } = options;
    const model = testModel(api, { baseUrl: `${server.url}${path}` });
    const layer = createModelLayer({ env: {} });
    const message = await layer.completeSimple(model, { messages: [user("Hi")] }, { apiKey: "test-key-1234", ...rest });
    return { message, request: server.requests[0] as RecordedRequest, requests: server.requests.length };
  } finally {
    await server.close();
  }
}
