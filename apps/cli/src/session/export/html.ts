// A session as one HTML page that loads nothing and runs nothing: every text is escaped and stands as it was said, nothing of it
// is taken for markup or a link, and the page's own policy forbids scripts. Images are kept if they are what they say.
import type { ImageContent, TextContent } from "@rondo/ai";
import { utcMinute } from "../../presentation/local-time.ts";
import { escapeForTerminal } from "../../terminal/escape.ts";
import type { Spoken, SpokenPart, SpokenSession } from "./spoken.ts";

const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const STYLE = `
:root { color-scheme: light dark; --line: #8884; --quiet: #777; --bad: #c33 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem; margin-bottom: 0 } h2 { font-size: 1rem; margin: 0 0 .3rem }
article { border-top: 1px solid var(--line); padding: .8rem 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font: inherit }
.code { font: 13px/1.4 ui-monospace, monospace; background: #8881; padding: .5rem; border-radius: .3rem }
.quiet, .note, time { color: var(--quiet) } .bad { color: var(--bad) }
summary { cursor: pointer; color: var(--quiet) } img { max-width: 100% }`;

/** The whole page. */
export function toHtml({ title, workspace, createdAt, spoken }: SpokenSession): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p class="quiet">${escapeHtml(workspace)} · ${utcMinute(createdAt)}</p>
${spoken
  .map(article)
  .filter((text) => text !== "")
  .join("\n")}
</body>
</html>
`;
}

function article({ speaker, name, label, timestamp, parts }: Spoken): string {
  const body = parts.map(part).join("\n");
  if (body === "") return "";
  const mark = label === undefined ? "" : ` — ${escapeHtml(label)}`;
  const time = `<time>${utcMinute(timestamp)}</time>`;
  const head = speaker === "person" || speaker === "model" ? `<h2>${escapeHtml(name)}${mark} ${time}</h2>\n` : "";
  return `<article class="${speaker}">\n${head}${body}\n</article>`;
}

function part(spoken: SpokenPart): string {
  switch (spoken.kind) {
    case "text":
      return `<pre>${escapeHtml(spoken.text)}</pre>`;
    case "thinking":
      return folded("Thinking", `<pre class="quiet">${escapeHtml(spoken.text)}</pre>`);
    case "image":
      return image(spoken.image);
    case "call":
      return folded(spoken.name, `<pre class="code">${escapeHtml(JSON.stringify(spoken.args, null, 2))}</pre>`);
    case "result":
      return folded(`${spoken.name}: ${spoken.isError ? "failed" : "result"}`, spoken.parts.map(resultPart).join("\n"));
  }
}

function resultPart(content: TextContent | ImageContent): string {
  return content.type === "text" ? `<pre class="code">${escapeHtml(content.text)}</pre>` : image(content);
}

function folded(title: string, body: string): string {
  return `<details><summary>${escapeHtml(title)}</summary>\n${body}\n</details>`;
}

function image({ data, mimeType }: ImageContent): string {
  if (!IMAGE_TYPES.has(mimeType) || !BASE64.test(data)) return `<p class="quiet">(${escapeHtml(mimeType)})</p>`;
  return `<img alt="" src="data:${mimeType};base64,${data}">`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return escapeForTerminal(text.replace(/\r\n?/g, "\n")).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
