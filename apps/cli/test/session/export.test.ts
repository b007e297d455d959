import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { expect, test } from "vitest";
import type { EntryContent, SessionEntry } from "../../src/session/entries.ts";
import { toHtml } from "../../src/session/export/html.ts";
import { toMarkdown } from "../../src/session/export/markdown.ts";
import { spokenSession } from "../../src/session/export/spoken.ts";
import { ENTRIES, HEADER } from "./session-text.ts";

const HOSTILE = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  '"><svg/onload=alert(1)>',
  "[link](javascript:alert(1))",
  "javascript:alert(1)",
  "</pre></details><iframe src=javascript:alert(1)>",
  "<!-- --><a href='javascript:alert(1)'>x</a>",
  "&lt;script&gt; &amp;",
  "\u001b]52;c;aGk=\u0007 \u202e txt",
  "```\n# not a heading\n````",
];
const HARMLESS = new Set(
  "html head meta title style body h1 h2 p article pre details summary time img #text #documentType".split(" "),
);
const ATTRIBUTES = new Set("lang charset http-equiv content name class alt src".split(" "));

/** A session in which a text stands wherever a text can stand. */
function sessionOf(text: string): SessionEntry[] {
  const usage = { cost: {} };
  const assistant = { role: "assistant" as const, api: "a", provider: text, model: text, usage, timestamp: 1 };
  const image = { type: "image" as const, data: text, mimeType: text };
  const contents: EntryContent[] = [
    { type: "model", provider: text, model: text },
    { type: "message", message: { role: "user", content: [{ type: "text", text }, image], timestamp: 1 } },
    {
      type: "message",
      message: {
        ...assistant,
        content: [
          { type: "thinking", thinking: text },
          { type: "text", text },
          { type: "toolCall", id: "c", name: text, arguments: { [text]: text } },
        ],
        stopReason: "error",
        errorMessage: text,
      },
    },
    {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId: "c",
        toolName: text,
        content: [{ type: "text", text }, image],
        isError: true,
        timestamp: 1,
      },
    },
    { type: "label", entryId: "e1", label: text },
    { type: "name", name: text },
  ];
  return contents.map((content, index) => ({
    ...content,
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
    timestamp: 1,
  }));
}

function nodesOf(node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] {
  return "childNodes" in node ? [node, ...node.childNodes.flatMap(nodesOf)] : [node];
}

test.each(HOSTILE)("the page of a session full of %j holds no node that does anything", (text) => {
  const [, ...nodes] = nodesOf(parse(toHtml(spokenSession({ ...HEADER, workspace: text }, sessionOf(text)))));
  expect(nodes.map(({ nodeName }) => nodeName).filter((name) => !HARMLESS.has(name))).toEqual([]);
  const attributes = nodes.flatMap((node) => ("attrs" in node ? node.attrs : []));
  expect(attributes.filter(({ name }) => !ATTRIBUTES.has(name))).toEqual([]);
  expect(attributes.filter(({ name, value }) => name === "src" && !value.startsWith("data:image/"))).toEqual([]);
  const shown = nodes.flatMap((node) => (node.nodeName === "#text" && "value" in node ? [node.value] : []));
  // Nothing is lost: the text stands there as it was said, control characters apart.
  const expected = text.replace("\u001b", "\\x1b").replace("\u0007", "\\x07").replace("\u202e", "\\u202e");
  expect(shown.filter((value) => value === expected).length).toBeGreaterThanOrEqual(5);
});

test("an image that is one is in the page", () => {
  const data = "iVBORw0KGgo=";
  const message = {
    role: "user" as const,
    content: [{ type: "image" as const, data, mimeType: "image/png" }],
    timestamp: 1,
  };
  const html = toHtml(spokenSession(HEADER, [{ type: "message", id: "e1", parentId: null, timestamp: 1, message }]));
  expect(html).toContain(`<img alt="" src="data:image/png;base64,${data}">`);
});

test("Markdown: what was said, and what tools gave in fences that hold", () => {
  expect(toMarkdown(spokenSession(HEADER, ENTRIES))).toBe(`# Grüße, 🎼

/w · 1970-01-01 00:00 UTC

> Model: p/m

## You

Grüße, 🎼

## m

**ls**

\`\`\`json
{
  "path": "."
}
\`\`\`

Result:

\`\`\`
a
b
\`\`\`

## m

Two files.
`);
  const hostile = toMarkdown(spokenSession(HEADER, sessionOf("```\n# not a heading\n````")));
  expect(hostile).toContain("Failed:\n\n`````\n```\n# not a heading\n````\n");
});
