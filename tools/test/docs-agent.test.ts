// docs/agent.md names all that an agent can be told and asked. Its tables are compared with the sources; its code is compiled by
// docs-code.test.ts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./docs-markdown.ts";

const page = readFileSync(join(ROOT, "docs/agent.md"), "utf8");
const source = (file: string): string => readFileSync(join(ROOT, "packages/agent/src", file), "utf8");

/** The names in the first column of the table behind a comment. */
function namesOf(table: string): string[] {
  const rows = page.split(`<!-- names: ${table} -->\n`)[1]?.split("\n\n")[0]?.split("\n") ?? [];
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1] as string));
}

/** The members of an interface or a class, as they stand two spaces in. */
function membersOf(file: string, declaration: string): string[] {
  const body = source(file).split(declaration)[1]?.split("\n}")[0] ?? "";
  const names = [...body.matchAll(/^ {2}(?:get |async )?(\w+)\??[:(<]/gm)].map((match) => match[1] as string);
  return [...new Set(names)].filter((name) => name !== "constructor");
}

/** The options that an agent has in common with the loop. */
const loopOptions = [
  ...(source("agent-settings.ts").split("const LOOP_OPTIONS = [")[1]?.split("]")[0] ?? "").matchAll(/"(\w+)"/g),
].map((match) => match[1] as string);
const modes = ["steeringMode", "followUpMode"];

test.each([
  ["AgentOptions", [...membersOf("agent-settings.ts", "export interface AgentOptions "), ...loopOptions]],
  ["AgentBudget", membersOf("types.ts", "export interface AgentBudget ")],
  ["RetryPolicy", membersOf("types.ts", "export interface RetryPolicy ")],
  ["Agent", membersOf("agent.ts", "export class Agent ").filter((name) => !modes.includes(name))],
  ["CompactionOptions", membersOf("compaction.ts", "export interface CompactionOptions ")],
  ["AgentToolOptions", membersOf("agent-tool.ts", "export interface AgentToolOptions")],
])("the table of %s names all there are and no other", (table, members) => {
  expect(members.length).toBeGreaterThan(2);
  expect(namesOf(table).sort()).toEqual([...members].sort());
});
