// A Markdown file with fields at its head, between lines of three dashes, in YAML.
import { parse } from "yaml";

/** The fields and the text below them. Throws an error for people if the head is no YAML. */
export function readFrontMatter(text: string): { fields: Record<string, unknown>; body: string } {
  const match = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n?---[ \t]*(?:\r?\n|$)/s.exec(text);
  if (!match) return { fields: {}, body: text };
  const fields: unknown = parse(match[1] ?? "");
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  return { fields: isObject ? (fields as Record<string, unknown>) : {}, body: text.slice(match[0].length) };
}
