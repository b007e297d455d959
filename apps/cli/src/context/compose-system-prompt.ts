// The system prompt of a session: ours or the person's in its place, then instructions and skills, then what is to be at the end.
// The same text for the same files, so that it stays in the provider's cache.
import type { SessionContext } from "./load-context.ts";

/** What goes into it. */
export interface SystemPromptParts {
  base: string;
  context: Pick<SessionContext, "instructions" | "skills">;
  append: string[];
}

/** Puts the parts together. */
export function composeSystemPrompt({ base, context, append }: SystemPromptParts): string {
  const instructions = context.instructions.map(
    ({ path, text }) => `<instructions path="${path}">\n${text}\n</instructions>`,
  );
  const skills = context.skills.map(({ name, description, path }) => `- ${name}: ${description} (${path})`);
  return [
    base,
    ...(instructions.length > 0
      ? [`What the person wants of everybody who works here:\n\n${instructions.join("\n\n")}`]
      : []),
    ...(skills.length > 0
      ? [
          `Skills. When a task fits one, read its file first and follow it; paths in it are relative to its folder.\n\n${skills.join("\n")}`,
        ]
      : []),
    ...append,
  ].join("\n\n");
}
