// An agent that lives in a web page and works on it: the model may be any server that lets pages ask it, such as an Ollama on this
// machine. A key that is put into a page belongs to whoever opens the page; keep keys on a server (see agent-server.ts).
import { Agent, type AgentTool } from "@rondo/agent";
import { customModel, streamSimple, Type } from "@rondo/ai";

const parameters = Type.Object({ background: Type.String(), text: Type.String() });
const paint: AgentTool<typeof parameters> = {
  name: "paint",
  label: "Paint",
  description: "Sets the colours of the page. Takes CSS colours.",
  parameters,
  execute: async (_id, { background, text }) => {
    document.body.style.background = background;
    document.body.style.color = text;
    return { content: [{ type: "text", text: "painted" }], details: {} };
  },
};

const value = (id: string): string => (document.getElementById(id) as HTMLInputElement).value;
const answer = document.getElementById("answer") as HTMLElement;

document.querySelector("form")?.addEventListener("submit", async (submission) => {
  submission.preventDefault();
  const model = customModel({ baseUrl: value("server"), id: value("model") });
  const agent = new Agent({ streamFn: streamSimple, initialState: { model, tools: [paint] }, budget: { turnsMax: 5 } });
  agent.subscribe((event) => {
    if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta")
      answer.textContent += event.assistantMessageEvent.delta;
    if (event.type === "agent_end") answer.dataset["end"] = event.errorMessage ?? event.reason;
  });
  await agent.prompt(value("prompt"));
});
