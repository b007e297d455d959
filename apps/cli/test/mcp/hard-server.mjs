// A server of the Model Context Protocol that makes trouble, by hand, since the SDK would keep it from most of it. What kind of
// trouble is said by its first argument.
import { createInterface } from "node:readline";

const [, , trouble] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const object = { type: "object", properties: {} };

const TOOLS = {
  many: Array.from({ length: 500 }, (_, index) => ({ name: `tool_${index}`, inputSchema: object })),
  dies: [
    { name: "die", inputSchema: object },
    { name: "after", inputSchema: object },
  ],
  schemas: [
    { name: "good", inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] } },
    { name: "lost_reference", inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/none" } } } },
    { name: "bad_pattern", inputSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } } },
    { name: "odd_type", inputSchema: { type: "object", properties: { a: { type: "colour" } } } },
    { name: "bare", inputSchema: { type: "object" } },
  ],
};

/** Writes what is no message of the protocol. */
function makeNoise() {
  if (trouble !== "noise") return;
  process.stdout.write('Listening…\n{"half": \n\n[]\n42\n');
  process.stderr.write("warming up\n");
  send({ id: 987_654, result: {} });
  send({ method: "notifications/unheard-of", params: {} });
}

async function answer({ id, method, params }) {
  if (trouble === "slow" && method === "initialize") await new Promise((resolve) => setTimeout(resolve, 1500));
  makeNoise();
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "hard", version: "1" },
      },
    });
  else if (method === "tools/list")
    send({ id, result: { tools: TOOLS[trouble] ?? [{ name: "good", inputSchema: object }] } });
  else if (method === "tools/call" && params.name === "die") process.exit(9);
  else if (method === "tools/call")
    send({ id, result: { content: [{ type: "text", text: `${params.name} ${JSON.stringify(params.arguments)}` }] } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) void answer(message);
});
