// The table of docs/json.md is that of the published schema.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

interface Line {
  description: string;
  properties: Record<string, unknown>;
  required: string[];
}

function table(): string {
  const schema: { oneOf: { $ref: string }[]; $defs: Record<string, Line> } = JSON.parse(
    textOf("apps/cli/schemas/json-events.schema.json"),
  );
  const rows = schema.oneOf.map(({ $ref }) => {
    const name = $ref.replace("#/$defs/", "");
    const { description, properties, required } = schema.$defs[name] as Line;
    const fields = Object.keys(properties).filter((field) => field !== "type");
    const shown = fields.map((field) => `\`${field}${required.includes(field) ? "" : "?"}\``);
    return `| \`${name}\` | ${shown.join(", ")} | ${description} |`;
  });
  return ["| `type` | Fields | What it says |", "| --- | --- | --- |", ...rows].join("\n");
}

test("docs/json.md lists every kind of line", () => {
  const between = /<!-- lines -->\n([\s\S]*?)<!-- \/lines -->/.exec(textOf("docs/json.md"))?.[1];
  expect(between?.trim()).toBe(table());
});
