// The edit tool: replaces text in a file, all edits of a call against the file as it was, all of them or none. Bytes outside
// the replaced spans are never touched, whatever the encoding and the line endings.
import { setImmediate } from "node:timers/promises";
import type { AgentTool } from "@rondo/agent";
import { type Static, Type } from "@rondo/ai";
import { countOf } from "../presentation/count-of.ts";
import { writeAtomically } from "./atomic-write.ts";
import { blocksOf, findSpans, type Looseness, lineNumberAt, type Span } from "./edit-match.ts";
import { describeChange, type FileChange } from "./file-diff.ts";
import { existingPath } from "./file-path.ts";
import { tellFileProblem } from "./file-problem.ts";
import { endingAt, withEnding } from "./line-endings.ts";
import { textResult } from "./result.ts";
import { decodeFile, encodeFile, isAscii, type TextFile } from "./text-file.ts";
import { readWholeFile } from "./whole-file.ts";
import type { Workspace } from "./workspace.ts";

const EDIT_BYTES_MAX = 50_000_000;

const parameters = Type.Object({
  path: Type.String({ description: "File to change, relative to the workspace or absolute" }),
  edits: Type.Array(
    Type.Object({
      oldText: Type.String({ description: "Text to replace, exactly as in the file, and only once in it" }),
      newText: Type.String({ description: "Text to put there" }),
      replaceAll: Type.Optional(Type.Boolean({ description: "Replace every occurrence. Default false" })),
    }),
    { minItems: 1, description: "Each is matched against the file as it is now; they must not overlap" },
  ),
});

type Edit = Static<typeof parameters>["edits"][number];
interface Replacement extends Span {
  newText: string;
  edit: number;
}

/** Makes the edit tool of a workspace. */
export function createEditTool(workspace: Workspace): AgentTool<typeof parameters, FileChange> {
  return {
    name: "edit",
    label: "Edit",
    description:
      "Replace text in a file. oldText must match exactly one place; give more lines around it if it does not, or set " +
      "replaceAll. Several edits in one call are applied together or not at all.",
    parameters,
    resources: ({ path }) => ({ writes: [existingPath(workspace, path)] }),
    async execute(_toolCallId, { path, edits }) {
      const absolute = existingPath(workspace, path);
      const bytes = await readWholeFile(absolute).catch(tellFileProblem(path));
      if (bytes.length > EDIT_BYTES_MAX)
        throw new Error(`${path} is larger than ${EDIT_BYTES_MAX} bytes. Use a command.`);
      await workspace.seenFiles.assertUnchanged(absolute, bytes);
      const file = decodeFile(bytes);
      // Each step takes its time with a large file, and other things have their turn between them.
      await setImmediate();
      const { replacements, looseness } = await planEdits(file, edits, path);
      await setImmediate();
      const text = applyReplacements(file.text, replacements);
      await setImmediate();
      const changed = encodeFile({ ...file, text });
      await writeAtomically(absolute, changed).catch(tellFileProblem(path));
      await workspace.seenFiles.note(absolute, changed);
      const count = countOf(replacements.length, "replacement");
      const loosely = looseness === "exact" ? "" : ` The text matched only after a loose comparison (${looseness}).`;
      return textResult(`Edited ${path}: ${count}.${loosely}`, describeChange(path, file.text, text));
    },
  };
}

/** Finds the places of all edits, or throws an error that says what to change in the call. */
export async function planEdits(
  file: Pick<TextFile, "text" | "encoding">,
  edits: Edit[],
  path: string,
): Promise<{ replacements: Replacement[]; looseness: Looseness }> {
  let loosest: Looseness = "exact";
  const replacements: Replacement[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? "The edit" : `Edit ${index + 1}`;
    if (edit.oldText === "") throw new Error(`${name} has an empty oldText. To fill a new file use write.`);
    if (edit.oldText === edit.newText) throw new Error(`${name} changes nothing: oldText and newText are the same.`);
    if (file.encoding === "bytes" && !(isAscii(edit.oldText) && isAscii(edit.newText)))
      throw new Error(`${path} is not valid UTF-8, so only ASCII text in it can be replaced with ASCII text.`);
    const { spans, looseness } = await findSpans(file.text, edit.oldText);
    if (spans.length === 0)
      throw new Error(`${name} was not applied: ${await notFound(file.text, edit.oldText, path)}`);
    if (spans.length > 1 && !(edit.replaceAll && looseness !== "typography")) {
      const lines = spans.slice(0, 10).map(({ start }) => lineNumberAt(file.text, start));
      const more = spans.length > lines.length ? ", …" : "";
      const advice = "Give more of the text around the one you mean, or set replaceAll.";
      throw new Error(
        `${name} matches ${spans.length} places in ${path} (lines ${lines.join(", ")}${more}). ${advice}`,
      );
    }
    if (looseness !== "exact") loosest = looseness;
    const newTexts = { "\n": withEnding(edit.newText, "\n"), "\r\n": withEnding(edit.newText, "\r\n") };
    for (const span of spans)
      replacements.push({ ...span, newText: newTexts[endingAt(file.text, span.start)], edit: index + 1 });
  }
  // Those of one edit are in order.
  if (edits.length > 1) replacements.sort((a, b) => a.start - b.start);
  for (let index = 1; index < replacements.length; index++) {
    const [before, after] = [replacements[index - 1]!, replacements[index]!];
    if (after.start < before.end)
      throw new Error(
        `Edits ${before.edit} and ${after.edit} overlap at line ${lineNumberAt(file.text, after.start)} of ${path}. Make them one.`,
      );
  }
  return { replacements, looseness: loosest };
}

function applyReplacements(text: string, replacements: Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of replacements) {
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

/** Says where the text nearly is, if its first line that is not blank stands somewhere. */
async function notFound(text: string, wanted: string, path: string): Promise<string> {
  const isSaid = (line: string) => line.trim() !== "";
  const firstLine = wanted.split("\n").find(isSaid)?.trim();
  const near: number[] = [];
  let above = 0;
  for await (const { start, end } of blocksOf(text)) {
    const lines = text.slice(start, end).split("\n");
    for (const [index, line] of lines.entries())
      if (near.length < 5 && line.trim() === firstLine) near.push(above + index + 1);
    if (near.length === 5) break;
    above += lines.length - 1;
  }
  const hint =
    near.length > 0
      ? `Its first line stands at line ${near.join(", ")}, but what follows differs.`
      : "Not even its first line stands there.";
  return `oldText is not in ${path}. ${hint} Read the file again and copy the text from it.`;
}
