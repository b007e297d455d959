// An agent in a web server: its events go to every open page as server-sent events, and what is sent while it works steers it.
// One conversation for all who look, on this machine alone; give each user an agent of their own before you put it anywhere else.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentEvent } from "@rondo/agent";
import { getModel, type Model } from "@rondo/ai";
import { createAgent } from "./agent.ts";

const PAGE = new URL(
  import.meta.url.includes("/dist/") ? "../agent-server.html" : "agent-server.html",
  import.meta.url,
);

/** Updates hold the whole message so far, twice: only what is new goes over the wire. */
function toFrame(event: AgentEvent): string {
  const slim =
    event.type === "message_update" ? { type: event.type, assistantMessageEvent: event.assistantMessageEvent } : event;
  return `data: ${JSON.stringify(slim, (name, value) => (name === "partial" ? undefined : value))}\n\n`;
}

export async function main(
  model: Model = getModel("anthropic", "claude-sonnet-5-5"), // ANTHROPIC_API_KEY
  print: (text: string) => void = console.log,
  port = 3000,
): Promise<Server> {
  const agent = createAgent(model);

  const listen = (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    const stop = agent.subscribe((event) => {
      response.write(toFrame(event));
    });
    response.once("close", stop);
  };

  const say = async (request: IncomingMessage): Promise<void> => {
    let body = "";
    for await (const part of request) body += part;
    const content: string = JSON.parse(body).text;
    if (!agent.state.isStreaming) void agent.prompt(content);
    else agent.steer({ role: "user", content, timestamp: Date.now() });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const route = `${request.method} ${request.url}`;
    // Pages of other sites cannot send this type without asking first, and nobody answers them.
    const isOurs = request.headers["content-type"] === "application/json";
    if (route === "GET /events") return listen(response);
    if (route === "GET /") return response.setHeader("content-type", "text/html").end(await readFile(PAGE));
    if (route === "POST /say" && isOurs) await say(request);
    else if (route === "POST /abort" && isOurs) agent.abort();
    else response.statusCode = 404;
    return response.end();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  print(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return server;
}

if (process.argv[1] === import.meta.filename) await main();
