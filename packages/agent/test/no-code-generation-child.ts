// One tool turn on every API, in a process that may not make code from strings; prints what came of each as JSON. The first argument
// is the address of a server that speaks all four.
import { Agent } from "@rondo/agent";
import { createModelLayer, type KnownApi, Type } from "@rondo/ai";

const APIS: KnownApi[] = ["anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai"];

/** What schemas are made of: each of these keywords could be checked by generated code. */
const parameters = Type.Object({
  path: Type.String({ pattern: "^[a-z/]+$", minLength: 1 }),
  lines: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 3 })),
  mode: Type.Union([Type.Literal("text"), Type.Object({ encoding: Type.String({ format: "uri" }) })]),
  tree: Type.Optional(Type.Recursive((self) => Type.Object({ children: Type.Array(self) }))),
});

function codeFromStrings(): string {
  try {
    return String(new Function("return 1")());
  } catch (error) {
    return (error as Error).name;
  }
}

async function toolTurn(api: KnownApi, baseUrl: string): Promise<string[]> {
  const received: string[] = [];
  const agent = new Agent({
    streamFn: createModelLayer({ env: {} }).streamSimple,
    getApiKey: () => "no-secret",
    initialState: {
      model: { id: "m", name: "m", api, provider: "p", baseUrl, reasoning: false, input: ["text"], cost: {} },
      tools: [
        {
          name: "read",
          label: "Read",
          description: "Reads a file",
          parameters,
          execute: async (_id, args) => {
            received.push(JSON.stringify(args));
            return { content: [{ type: "text", text: "some text" }], details: {} };
          },
        },
      ],
    },
  });
  await agent.prompt("Read the file.");
  const results = agent.state.messages.flatMap((message) =>
    message.role === "toolResult" ? message.content.map((part) => (part.type === "text" ? part.text : part.type)) : [],
  );
  const last = agent.state.messages.at(-1);
  return [...received, ...results, last?.role === "assistant" ? last.stopReason : "no answer"];
}

const report: Record<string, unknown> = { codeFromStrings: codeFromStrings() };
for (const api of APIS) report[api] = await toolTurn(api, process.argv[2] as string);
console.log(JSON.stringify(report));
