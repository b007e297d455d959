// `!command`: runs a command for the person, with the tool that the model has, shows it like any other call, and tells the model.
import { ownCommandText } from "../../session/message-text.ts";
import type { App } from "./app.ts";
import { OWN_COMMAND, ToolBlock } from "./blocks/tool.ts";

/** Runs a command. It ends with `signal`. */
export async function runShellEscape(app: App, command: string, signal: AbortSignal): Promise<void> {
  const { agent } = app.session;
  const tool = agent.state.tools.find(({ name }) => name === "bash");
  if (!tool) throw new Error("There is no tool for commands in this session.");
  const block = new ToolBlock(app.view, OWN_COMMAND);
  block.setCall(OWN_COMMAND, { command }, true);
  block.start();
  app.screen.transcript.add(block);
  const result = await tool
    .execute("person", { command }, signal, (partial) => {
      block.update(partial);
      app.screen.requestRender();
    })
    .catch((error: unknown) => ({
      content: [{ type: "text" as const, text: error instanceof Error ? error.message : String(error) }],
      details: undefined,
      isError: true,
    }));
  block.finish(result, result.isError === true);
  app.screen.requestRender();
  const output = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  app.talk.mention(ownCommandText(command, output));
}
