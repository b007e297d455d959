// A workspace in a temporary folder, for tests of the tools: a real folder, and the tools that the command would have there.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentTool, AgentToolResult } from "@rondo/agent";
import { onTestFinished } from "vitest";
import { BackgroundJobs } from "../src/tools/background-jobs.ts";
import { createTools } from "../src/tools/index.ts";
import { ProcessGroups } from "../src/tools/process-groups.ts";
import { SeenFiles, type Workspace } from "../src/tools/workspace.ts";

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rondo-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a workspace with these files, and a way to call its tools. */
export function temporaryWorkspace(files: Record<string, string | Uint8Array> = {}, env = process.env) {
  const base = temporaryFolder();
  const root = join(base, "workspace");
  const home = join(base, "home");
  mkdirSync(root);
  mkdirSync(home);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const processGroups = new ProcessGroups();
  const jobs = new BackgroundJobs(processGroups);
  onTestFinished(() => processGroups.killAll());
  const outputFolder = join(base, "output");
  const workspace: Workspace = { root, home, env, outputFolder, seenFiles: new SeenFiles(), processGroups, jobs };
  const tools = new Map(createTools(workspace).map((tool) => [tool.name, tool as AgentTool]));

  /** Calls a tool as the loop would, with arguments that are taken to be valid. */
  function call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<AgentToolResult> {
    const tool = tools.get(name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.execute("call_1", args as never, signal);
  }
  /** The text of a tool's result. */
  async function textOf(name: string, args: Record<string, unknown>): Promise<string> {
    const { content } = await call(name, args);
    return content.map((part) => (part.type === "text" ? part.text : `(${part.mimeType})`)).join("\n");
  }
  return { root, home, base, workspace, call, textOf, path: (name: string) => join(root, name) };
}
