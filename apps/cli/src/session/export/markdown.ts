// A session as Markdown. Output of tools stands in fences that are longer than any in it, so that it cannot end its fence.
import type { ImageContent, TextContent } from "@rondo/ai";
import { utcMinute } from "../../presentation/local-time.ts";
import type { Spoken, SpokenPart, SpokenSession } from "./spoken.ts";

/** The whole session. */
export function toMarkdown({ title, workspace, createdAt, spoken }: SpokenSession): string {
  const head = `# ${oneLine(title)}\n\n${oneLine(workspace)} · ${utcMinute(createdAt)}\n`;
  return `${[head, ...spoken.map(section).filter((text) => text !== "")].join("\n")}`;
}

function section({ speaker, name, label, parts }: Spoken): string {
  const body = parts.map(part).join("\n\n");
  if (body === "") return "";
  const mark = label === undefined ? "" : ` — ${oneLine(label)}`;
  if (speaker === "note") return `${quote(body)}\n`;
  if (speaker === "tool") return `${body}\n`;
  return `## ${oneLine(name)}${mark}\n\n${body}\n`;
}

function part(spoken: SpokenPart): string {
  switch (spoken.kind) {
    case "text":
      return spoken.text.trim();
    case "thinking":
      return quote(spoken.text.trim());
    case "image":
      return `*(an image, ${oneLine(spoken.image.mimeType)})*`;
    case "call":
      return `**${oneLine(spoken.name)}**\n\n${fence(JSON.stringify(spoken.args, null, 2), "json")}`;
    case "result":
      return `${spoken.isError ? "Failed:" : "Result:"}\n\n${fence(spoken.parts.map(resultText).join("\n"), "")}`;
  }
}

function resultText(content: TextContent | ImageContent): string {
  return content.type === "text" ? content.text : `(an image, ${content.mimeType})`;
}

function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
