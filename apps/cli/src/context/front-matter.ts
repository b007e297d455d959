// A Markdown file with fields at its head, between lines of three dashes, in YAML.
import { parse } from "yaml";

/** The fields and the text below them. Throws an error for people if the head is no YAML. */
export function readFrontMatter(text: string): { fields: Record<string, unknown>; body: string } {
  const match = /^\ufeff?---[ \t]*\r?\n(.*?)\r?\n?---[ \t]*(?:\r?\n|$)/s.exec(text);
  if (!match) return { fields: {}, body: text };
  const fields = parseFields(match[1] ?? "");
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  return { fields: isObject ? (fields as Record<string, unknown>) : {}, body: text.slice(match[0].length) };
}

/** A value such as `Use it when: …` is no YAML, and is written all the same: then the rest of its line is taken as it is. */
function parseFields(head: string): unknown {
  try {
    return parse(head);
  } catch (error) {
    const quoted = head.replace(
      /^([\w-]+): +([^\s"'|>[{&*!].*: .*)$/gm,
      (_line, key, value) => `${key}: ${JSON.stringify(value)}`,
    );
    if (quoted === head) throw error;
    return parse(quoted);
  }
}
