import { expect, test } from "vitest";
import type { PromptTemplate } from "../../src/context/prompt-templates.ts";
import { refuseUnknownCommand, resolveSlashCommand, slashCommands } from "../../src/prompt/slash-commands.ts";

const template = (name: string, text: string): PromptTemplate => ({
  name,
  path: `/prompts/${name}.md`,
  description: "",
  argumentHint: undefined,
  text,
});
const TEMPLATES = [
  template("one", "First $1, then $2, all: $ARGUMENTS = $@. $10 costs $"),
  template("plain", "Just this"),
];

test.each([
  ["/one a 'b c' d", "First a, then b c, all: a 'b c' d = a 'b c' d. a0 costs $"],
  ["/one", "First , then , all:  = . 0 costs $"],
  ["/one $2 x", "First $2, then x, all: $2 x = $2 x. $20 costs $"],
  ["/plain  ignored", "Just this"],
  ["/unknown x", "/unknown x"],
  ["/ones x", "/ones x"],
  ["say /one", "say /one"],
  ["/usr/bin/one", "/usr/bin/one"],
])("%j", async (said, expanded) => {
  expect(await resolveSlashCommand(said, slashCommands(TEMPLATES, []))).toBe(expanded);
});

test("a name that is nearly one is refused with it; paths and names in the middle are said", () => {
  const refuse = (said: string) => () =>
    refuseUnknownCommand(said, { commands: slashCommands(TEMPLATES, []), notices: [] });
  expect(refuse("/plian x")).toThrow(
    "No prompt and no command of an extension is called /plian. Did you mean /plain? To say it to the model, put a word before it.",
  );
  for (const said of ["/plain x", "/one", "/etc/hosts is odd", "/", "say /plian", ""])
    expect(refuse(said)).not.toThrow();
});
