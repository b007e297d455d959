// The table of docs/tools.md is what the model is told of each tool.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createTools } from "../../src/tools/index.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

const DOCUMENT = fileURLToPath(new URL("../../../../docs/tools.md", import.meta.url));

function table(): string {
  const { workspace } = temporaryWorkspace();
  const rows = createTools(workspace).map(({ name, description, parameters }) => {
    const required: string[] = parameters.required ?? [];
    const shown = Object.keys(parameters.properties).map((key) => `\`${key}${required.includes(key) ? "" : "?"}\``);
    return `| \`${name}\` | ${shown.join(", ")} | ${description} |`;
  });
  return ["| Tool | Arguments | What it does |", "| --- | --- | --- |", ...rows].join("\n");
}

test("docs/tools.md lists every tool as the model sees it", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  const between = /<!-- tools -->\n([\s\S]*?)<!-- \/tools -->/.exec(document)?.[1];
  expect(between?.trim()).toBe(table());
});
