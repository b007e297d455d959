// A server of the Model Context Protocol for tests: through standard input and output, or over HTTP.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

/** Makes the server. */
export function createExampleServer() {
  const server = new McpServer({ name: "example", version: "1" });
  server.registerTool(
    "add",
    { description: "Add numbers", inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }),
  );
  server.registerTool("long", { description: "Long text", inputSchema: {} }, () => ({
    content: [{ type: "text", text: "x".repeat(200_000) }],
  }));
  server.registerTool("fail", { description: "Fails", inputSchema: {} }, () => {
    throw new Error("out of luck");
  });
  server.registerTool("hang", { description: "Never answers", inputSchema: {} }, () => new Promise(() => {}));
  server.registerTool("environment", { description: "Names of variables", inputSchema: {} }, () => ({
    content: [{ type: "text", text: Object.keys(process.env).sort().join(" ") }],
  }));
  return server;
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  await createExampleServer().connect(new StdioServerTransport());
