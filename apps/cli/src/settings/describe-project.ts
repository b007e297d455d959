// What a project brings along, in lines for the person who is to decide about it.
import { join } from "node:path";
import { escapeControls } from "../tools/result.ts";
import type { Project } from "./project.ts";
import { readSettingsFile } from "./settings-file.ts";

/** One line for each thing: what would run first. Rejects with a `UsageError` if its settings are no JSON. */
export async function describeProject({ folder, files }: Project): Promise<string[]> {
  const { settings, problems } = await readSettingsFile(join(folder, ".rondo", "settings.json"));
  const { extensions = [], mcpServers = {}, ...others } = settings;
  const named = Object.keys(others).filter((name) => !name.startsWith("$"));
  const lines = [
    ...extensions.map((path) => `runs the extension ${path}`),
    ...files.filter(isExtension).map((path) => `runs the extension ${path}`),
    ...Object.entries(mcpServers).map(([name, { command, args = [], url }]) =>
      command === undefined
        ? `connects to the MCP server ${name} at ${url}`
        : `runs the MCP server ${name}: ${[command, ...args].join(" ")}`,
    ),
    ...(named.length > 0
      ? [`sets ${named.map((name) => `${name}: ${JSON.stringify(others[name as keyof typeof others])}`).join(", ")}`]
      : []),
    ...files.filter((path) => path.endsWith("SKILL.md")).map((path) => `offers the skill ${path}`),
    ...files.filter((path) => path.startsWith(join(".rondo", "prompts"))).map((path) => `offers the prompt ${path}`),
    ...problems.map((problem) => `has a mistake: ${problem}`),
  ];
  // Names and arguments come from the project: none of them may look like a line of ours.
  return lines.map(escapeControls);
}

function isExtension(path: string): boolean {
  return path.startsWith(join(".rondo", "extensions")) && /\.[cm]?[jt]s$/.test(path);
}
