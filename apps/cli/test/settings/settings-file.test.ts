import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lineOf } from "../../src/settings/line-of.ts";
import { readSettingsFile } from "../../src/settings/settings-file.ts";
import { SettingsSchema } from "../../src/settings/settings-schema.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

async function read(text: string) {
  const path = join(temporaryFolder(), "settings.json");
  writeFileSync(path, text);
  const { settings, rules, problems } = await readSettingsFile(path);
  return {
    settings,
    rules: rules.map((rule) => rule.text),
    problems: problems.map((problem) => problem.slice(path.length)),
  };
}

test("what is right holds; what is not is named with its line", async () => {
  const text = `{
  "model": "demo",
  "thinking": "loud",
  "modle": "x",
  "allow": [
    "edit",
    "edit("
  ],
  "deny": "bash",
  "mcpServers": {
    "files": { "command": "x", "arg": [] }
  },
  "compaction": { "keepRecentTokens": "many" },
  "theme": "pink",
  "styles": { "accent": "bold pink", "error": "bright-red" },
  "keys": {
    "rondo.model": "ctl+p",
    "rondo.modle": "ctrl+p",
    "rondo.clear": ["ctrl+x", "f2"],
    "rondo.leave": "x",
    "tui.input.newLine": []
  }
}`;
  expect(await read(text)).toEqual({
    settings: {
      model: "demo",
      allow: ["edit", "edit("],
      styles: { error: "bright-red" },
      keys: { "rondo.clear": ["ctrl+x", "f2"], "tui.input.newLine": [] },
    },
    rules: ["edit"],
    problems: [
      expect.stringMatching(/^:3: thinking: expected .*\.$/),
      ":4: there is no setting modle. There are model, thinking, allow, ask, deny, sandbox, systemPrompt, appendSystemPrompt, compaction, theme, styles, showThinking, keys, extensions, mcpServers.",
      expect.stringMatching(/^:9: deny: expected /),
      expect.stringMatching(/^:11: mcpServers\.files\.arg: expected /),
      expect.stringMatching(/^:13: compaction\.keepRecentTokens: expected /),
      expect.stringMatching(/^:14: theme: expected .*"dark"/),
      ':7: The rule "edit(" is not understood. Write a tool or a tool and a pattern: edit, bash(npm test).',
      ':17: keys: "ctl+p" is no key. Write it like ctrl+p, alt+enter, shift+tab, pageUp or f5.',
      expect.stringMatching(
        /^:18: keys: there is nothing called "rondo\.modle" that a key .* There are rondo\.abort, /,
      ),
      ':20: keys: "x" is written with that key. Give it one with ctrl or alt: ctrl+x.',
      expect.stringMatching(/^:15: styles: "pink" is no style\. There are bold, /),
    ],
  });
});

test("of a setting with entries the right ones hold, and every mistake is told", async () => {
  const text = `{
  "keys": {
    "rondo.model": 5,
    "rondo.clear": ["ctrl+x", 7],
    "rondo.leave": "f3",
    "rondo.history": "f3",
    "rondo.suspend": "f4",
    "rondo.followUp": "f4"
  },
  "styles": {
    "error": 5,
    "acent": "red",
    "muted": "dim"
  },
  "compaction": { "enabled": "no",
    "reserveTokens": 9000 },
  "mcpServers": {
    "a": { "command": 5 },
    "b": { "command": "x" }
  }
}`;
  const { settings, problems } = await read(text);
  expect(settings).toEqual({
    keys: { "rondo.leave": "f3", "rondo.history": "f3", "rondo.suspend": "f4", "rondo.followUp": "f4" },
    styles: { muted: "dim" },
    compaction: { reserveTokens: 9000 },
    mcpServers: { b: { command: "x" } },
  });
  expect(problems.map((problem) => problem.replace(/expected.*/, "…"))).toEqual([
    ":3: keys: rondo.model is not of the right type.",
    ":4: keys: rondo.clear is not of the right type.",
    ":11: styles: error is not of the right type.",
    ":12: styles.acent: …",
    ":15: compaction.enabled: …",
    ":18: mcpServers: a is not of the right type.",
    ":6: keys: f3 is given to both rondo.leave and rondo.history, and only one of them can have it.",
    ":8: keys: f4 is given to both rondo.suspend and rondo.followUp, and only one of them can have it.",
  ]);
});

test.each([
  ['{ "sandbox": "yes" }', true, false],
  ['{ "Sandbox": true }', true, false],
  ['{ "sandbox": false }', false, false],
  ['{ "deny": "bash" }', undefined, true],
  ['{ "deny": ["bash", 1] }', undefined, true],
  ['{ "ask": ["edit("] }', undefined, true],
  ['{ "Deny": ["bash"] }', undefined, true],
  ['{ "permissions": { "deny": ["Bash(rm:*)"] } }', undefined, true],
  ['{ "allow": ["edit("] }', undefined, false],
  ['{ "deny": ["mcp__files__*"] }', undefined, false],
])("what was to protect and is not understood protects all the more: %s", async (text, sandbox, isUncertain) => {
  const path = join(temporaryFolder(), "settings.json");
  writeFileSync(path, text);
  const file = await readSettingsFile(path);
  expect([file.settings.sandbox, file.isUncertain]).toEqual([sandbox, isUncertain]);
});

test.each([
  [
    '{ "keys": {\n "rondo.model": "Esc" } }',
    'because of "rondo.model" no key stops the model at once. Give "rondo.abort" one',
  ],
  ['{ "keys": {\n "tui.editor.undo": ["ctrl+u", "escape"] } }', 'because of "tui.editor.undo" no key stops'],
  [
    '{ "keys": {\n "rondo.abort": [] } }',
    'because of "rondo.abort" no key stops the model at once. Give "rondo.abort" one',
  ],
  [
    '{ "keys": {\n "rondo.model": "return" } }',
    'because of "rondo.model" no key sends what you wrote. Give "tui.input.submit" one',
  ],
  [
    '{ "keys": {\n "rondo.model": "ctrl+s", "tui.input.submit": "ctrl+s" } }',
    'because of "rondo.model" no key sends what',
  ],
  [
    '{ "keys": { "rondo.clear": [],\n "rondo.leave": [] } }',
    'because of "rondo.clear" no key leaves rondo. Give "rondo.leave" one',
  ],
])("keys that leave nothing for what nobody can do without are told: %s", async (text, problem) => {
  const { problems } = await read(text);
  expect(problems).toEqual([expect.stringContaining(`: keys: ${problem}`)]);
});

test("keys that leave something for everything are not told of", async () => {
  for (const keys of [
    { "rondo.abort": "f2", "rondo.model": "escape" },
    { "rondo.clear": [] },
    { "rondo.leave": "f3" },
    { "tui.input.submit": ["ctrl+l", "f4"] },
    { "tui.select.cancel": "escape", "tui.select.confirm": "enter" },
  ])
    expect((await read(JSON.stringify({ keys }))).problems, JSON.stringify(keys)).toEqual([]);
});

test("no file is no settings; a text that is no JSON is an error with its place", async () => {
  expect((await readSettingsFile(join(temporaryFolder(), "none.json"))).settings).toEqual({});
  await expect(read('{\n  "model": demo\n}')).rejects.toThrow(
    "settings.json cannot be used: line 2, column 12: not valid JSON (Unexpected token 'd')",
  );
  await expect(read("[]")).rejects.toThrow("settings.json should hold an object.");
});

test("the line of anything in a JSON text is found", () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, fc.string(), fc.integer(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
  })).object;
  fc.assert(
    fc.property(value, (json) => {
      const text = JSON.stringify(json, null, 1);
      // With one space of indent every key and element begins a line of its own.
      const walk = (part: unknown, path: (string | number)[]): void => {
        if (path.length > 0) {
          const line = text.split("\n")[lineOf(text, path) - 1] ?? "";
          const key = path.at(-1);
          expect(line.startsWith(" ".repeat(path.length))).toBe(true);
          if (typeof key === "string") expect(line.trim().startsWith(`${JSON.stringify(key)}:`)).toBe(true);
        }
        if (typeof part === "object" && part !== null)
          for (const [key, child] of Object.entries(part))
            walk(child, [...path, Array.isArray(part) ? Number(key) : key]);
      };
      walk(json, []);
    }),
    { numRuns: 200 },
  );
});

test("the published JSON Schema is the one that files are read by", async () => {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", title: "Settings of rondo", ...SettingsSchema };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("../../schemas/settings.schema.json");
});
