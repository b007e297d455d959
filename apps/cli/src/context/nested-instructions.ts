// Instructions of folders below the working folder: they go along with the first result of a tool that touches a file under them.
// The beginning of the conversation stays as it is, so that it stays in the provider's cache; whether a file was shown is told
// from the conversation itself, so that it holds after going back, copying and resuming.
import { dirname, join, relative, sep } from "node:path";
import type { AfterToolCallContext, AfterToolCallResult, AgentMessage } from "@rondo/agent";
import { pathInside, realPath } from "../permissions/path-scope.ts";
import { existingPath } from "../tools/file-path.ts";
import { type Instructions, instructionsIn } from "./instructions.ts";

/** Makes the hook that adds them. */
export function createNestedInstructions(place: { root: string; home: string }) {
  /** Calls of one message may run side by side, before any of their results is in the conversation. */
  const underway = new WeakMap<object, Set<string>>();
  return ({
    args,
    assistantMessage,
    context,
    result,
    isError,
  }: AfterToolCallContext): AfterToolCallResult | undefined => {
    const { path } = args as { path?: unknown };
    if (isError || typeof path !== "string") return undefined;
    const shown = underway.get(assistantMessage) ?? new Set();
    underway.set(assistantMessage, shown);
    const fresh = instructionsAbove(place, path).filter(
      (found) => !shown.has(found.path) && !isIn(context.messages, headOf(found)),
    );
    if (fresh.length === 0) return undefined;
    for (const found of fresh) shown.add(found.path);
    const notes = fresh.map((found) => ({ type: "text" as const, text: `${headOf(found)}\n${found.text}` }));
    return { content: [...result.content, ...notes] };
  };
}

/** Those of the folders between the working folder and a path, the outer one first. */
function instructionsAbove(place: { root: string; home: string }, path: string): Instructions[] {
  const inside = pathInside(place.root, realPath(existingPath(place, path)));
  if (inside === undefined) return [];
  const names = [...dirname(join(inside, "x")).split(sep)];
  const folders = names.map((_, index) => join(place.root, ...names.slice(0, index + 1)));
  return folders
    .filter((folder) => relative(place.root, folder) !== "")
    .map((folder) => instructionsIn(folder, place.root))
    .filter((found) => found !== undefined);
}

function headOf({ path }: Instructions): string {
  return `[Instructions of ${path}, for everything in its folder]`;
}

function isIn(messages: AgentMessage[], text: string): boolean {
  return messages.some(
    (message) =>
      message.role === "toolResult" &&
      message.content.some((part) => part.type === "text" && part.text.startsWith(text)),
  );
}
