// MCP servers through the command: a program and an address, the same tools, the same permissions.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { replayScript, strict, type WireRequest } from "@rondo/test-fixtures";
import { expect, onTestFinished, test } from "vitest";
import { mcpToolName } from "../src/mcp/mcp-tool.ts";
import { rondo } from "./command.ts";
import { processesIn } from "./processes.ts";
import { serve, text, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

const HARD_SERVER = fileURLToPath(new URL("mcp/hard-server.mjs", import.meta.url));
const SERVER = fileURLToPath(new URL("mcp/example-server.mjs", import.meta.url));

/** Runs the command with these servers and a model that makes these calls at once. What the tools gave, and how it ended. */
async function run(
  mcpServers: Record<string, object>,
  calls: [string, Record<string, unknown>][],
  flags: string[] = [],
) {
  const base = temporaryFolder();
  const cwd = join(base, "workspace");
  mkdirSync(cwd);
  mkdirSync(join(base, "config"));
  writeFileSync(join(base, "config/settings.json"), JSON.stringify({ mcpServers }));
  const seen: WireRequest[] = [];
  const server = await serve(
    strict(
      replayScript((request) => {
        seen.push(request);
        if (seen.length > 1 || calls.length === 0) return text("Done.");
        return {
          content: calls.map(([name, args], index) => ({ type: "toolCall", id: `c${index}`, name, arguments: args })),
        };
      }),
    ),
  );
  const env = { RONDO_CONFIG: join(base, "config"), SECRET_TOKEN: "s" };
  const end = await rondo(["-p", "go", ...through(server.url), ...flags], { cwd, env });
  const results = seen[1]?.messages.flatMap((message) => (message.role === "toolResult" ? [message.text] : []));
  return { ...end, cwd, results, tools: seen[0]?.tools.map(({ name }) => name) ?? [] };
}

const program = { command: process.execPath, args: [SERVER] };

test("a program: its tools are asked about, bounded, and end with the command", async () => {
  const { code, results, cwd } = await run(
    { files: program },
    [
      ["mcp__files__add", { a: 2, b: 3 }],
      ["mcp__files__long", {}],
      ["mcp__files__fail", {}],
      ["mcp__files__environment", {}],
    ],
    ["--allow", "mcp__files__*", "--ask", "mcp__*__environment"],
  );
  expect(code).toBe(5);
  expect(results?.[0]).toBe("5");
  expect(results?.[1]).toBe(`${"x".repeat(50_000)}\n[… cut here, of 200000 characters]`);
  expect(results?.[2]).toContain("out of luck");
  expect(results?.[3]).toContain("Refused: mcp__files__environment was not run");
  expect(processesIn(cwd)).toEqual([]);
});

test("a command line that cannot be understood ends the programs, and the command with them", async () => {
  const { code, stderr, cwd } = await run({ files: program }, [], ["--allow", "nosuch"]);
  expect([code, stderr.includes("The rule --allow 'nosuch' names no tool.")]).toEqual([2, true]);
  expect(processesIn(cwd)).toEqual([]);
});

test("a program is not handed the person's environment", async () => {
  const { results } = await run(
    { files: { ...program, env: { GIVEN: "1" } } },
    [["mcp__files__environment", {}]],
    ["--yolo"],
  );
  const names = results?.[0]?.split(" ") ?? [];
  expect([names.includes("GIVEN"), names.includes("SECRET_TOKEN"), names.includes("PATH")]).toEqual([
    true,
    false,
    true,
  ]);
});

test("a call that is not answered ends after its time", async () => {
  const { code, results } = await run(
    { files: { ...program, timeoutMs: 300 } },
    [["mcp__files__hang", {}]],
    ["--yolo"],
  );
  expect([code, results?.[0]]).toEqual([0, expect.stringContaining("timed out")]);
});

test("an address: the same tools over HTTP", async () => {
  const { createExampleServer } = await import(SERVER);
  const http = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    await createExampleServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.closeAllConnections());
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const { code, results } = await run({ far: { url } }, [["mcp__far__add", { a: 20, b: 22 }]], ["--yolo"]);
  expect([code, results]).toEqual([0, ["42"]]);
});

test("an address that breaks in the middle of a call fails that call, in a sentence", async () => {
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString() || "{}");
    const answer = (result: object) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    const { protocolVersion } = params ?? {};
    if (method === "initialize")
      answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "h", version: "1" } });
    else if (method === "tools/list")
      answer({ tools: ["page", "cut"].map((name) => ({ name, inputSchema: { type: "object" } })) });
    else if (params?.name === "cut") request.socket.destroy();
    else if (params?.name === "page") response.writeHead(500).end(`<html>${"x".repeat(200_000)}</html>`);
    else response.writeHead(id === undefined ? 202 : 405).end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.closeAllConnections());
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const { code, results } = await run(
    { far: { url } },
    [
      ["mcp__far__page", {}],
      ["mcp__far__cut", {}],
    ],
    ["--yolo"],
  );
  expect([code, results?.[1]]).toEqual([0, "The MCP server far failed: fetch failed"]);
  expect(results?.[0]).toMatch(/^The MCP server far failed: .*<html>x+…$/);
  expect(results?.[0]?.length).toBeLessThan(600);
});

test("servers that cannot be had are told, and the command does its work", async () => {
  const servers = {
    none: { command: "no-such-program-anywhere" },
    silent: { command: process.execPath, args: ["-e", "process.exit(3)"] },
    both: { command: "x", url: "http://127.0.0.1:1" },
    closed: { url: "http://127.0.0.1:1/mcp" },
  };
  const { code, stdout, stderr } = await run(servers, []);
  expect([code, stdout]).toEqual([0, "Done.\n"]);
  expect(stderr).toContain(
    "rondo: The MCP server none is left out: its command no-such-program-anywhere was not found. Is it installed, and on the PATH?\n",
  );
  for (const name of Object.keys(servers)) expect(stderr).toContain(`rondo: The MCP server ${name} is left out: `);
});

const hard = (trouble: string) => ({ command: process.execPath, args: [HARD_SERVER, trouble] });

test("a program that dies in a call fails that call and those after it, and the run goes on", async () => {
  const { code, stdout, results } = await run(
    { hard: hard("dies"), files: program },
    [
      ["mcp__hard__die", {}],
      ["mcp__hard__after", {}],
      ["mcp__files__add", { a: 1, b: 1 }],
    ],
    ["--yolo"],
  );
  expect([code, stdout]).toEqual([0, "Done.\n"]);
  expect(results).toEqual([expect.stringContaining("closed"), expect.stringMatching(/closed|connected/i), "2"]);
});

test("what a program writes besides the protocol, and a slow start, change nothing", async () => {
  const { code, stderr, results } = await run(
    { noise: hard("noise"), slow: hard("slow") },
    [
      ["mcp__noise__good", {}],
      ["mcp__slow__good", { word: "x" }],
    ],
    ["--yolo"],
  );
  expect([code, results, stderr]).toEqual([0, ["good {}", 'good {"word":"x"}'], expect.not.stringContaining("rondo:")]);
});

test("of a server with very many tools the first ones are offered, and that is told", async () => {
  const { code, tools, stderr } = await run({ hard: hard("many") }, []);
  const names = tools.filter((name) => name.startsWith("mcp__hard__"));
  expect([code, names.length, names.at(-1)]).toEqual([0, 200, "mcp__hard__tool_199"]);
  expect(stderr).toContain(
    "rondo: The MCP server hard has more than 200 tools; those after mcp__hard__tool_199 are left out.\n",
  );
});

test("schemas that make no sense do not keep the others, nor the command, from their work", async () => {
  const calls = ["good", "lost_reference", "bad_pattern", "odd_type", "bare"].map(
    (name): [string, Record<string, unknown>] => [`mcp__hard__${name}`, name === "good" ? { word: "x" } : { a: "x" }],
  );
  const { code, stdout, results } = await run({ hard: hard("schemas") }, calls, ["--yolo"]);
  expect([code, stdout]).toEqual([0, "Done.\n"]);
  expect(results?.[0]).toBe('good {"word":"x"}');
  expect(results?.[4]).toBe('bare {"a":"x"}');
  expect(results?.length).toBe(5);
});

test("names that no API would take are made fit", () => {
  expect(mcpToolName("my files", "read.file/now")).toBe("mcp__my_files__read_file_now");
  expect(mcpToolName("s", "x".repeat(100)).length).toBe(64);
});

test("what is told of a server holds none of its secrets", async () => {
  const secret = "s3cret-0123456789";
  const mcpServers = {
    address: {
      url: `http://me:${secret}@127.0.0.1:9/mcp?key=${secret}`,
      headers: { Authorization: `Bearer ${secret}` },
    },
    ends: { command: "false", args: [`--token=${secret}`, "--api-key", secret, "plain"], env: { TOKEN: secret } },
  };
  const { stderr } = await run(mcpServers, []);
  expect(stderr).not.toContain(secret);
  expect(stderr).toContain("The MCP server address is left out: ");
  expect(stderr).toContain(
    "The MCP server ends is left out: its command false ended before it had answered. Run it by hand to see why.",
  );
  const config = temporaryFolder();
  writeFileSync(join(config, "settings.json"), JSON.stringify({ mcpServers }));
  const { stdout } = await rondo(["config"], { env: { RONDO_CONFIG: config } });
  expect(stdout).not.toContain(secret);
  expect(stdout).toContain('"args":["--token=…","--api-key","…","plain"],"env":{"TOKEN":"…"}');
  expect(stdout).toContain('"url":"http://me:…@127.0.0.1:9/mcp?key=…"');
});
