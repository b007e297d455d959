// Makes one prompt out of words, files and piped text.
import { readFile } from "node:fs/promises";
import type { ImageContent } from "@rondo/ai";
import { UsageError } from "../exit-codes.ts";
import { ImageProblem, prepareImage } from "../images/prepare-image.ts";
import { existingPath } from "../tools/file-path.ts";
import { isBinary, readableText } from "../tools/text-file.ts";

/** What the model is asked. */
export interface Prompt {
  text: string;
  images: ImageContent[];
}

const FILE_BYTES_MAX = 10_000_000;

/**
 * Joins the words of the command line with a space, puts each `@file` after them, then the piped text. An `@` of which there
 * is no file is a usage error; `@@` begins a word that is no file.
 */
export async function assemblePrompt(
  words: string[],
  piped: string | undefined,
  place: { root: string; home: string },
): Promise<Prompt> {
  const spoken: string[] = [];
  const parts: string[] = [];
  const images: ImageContent[] = [];
  for (const word of words) {
    if (word === "-") continue;
    if (word.startsWith("@@")) spoken.push(word.slice(1));
    else if (!word.startsWith("@") || word === "@") spoken.push(word);
    else {
      const path = word.slice(1);
      const bytes = await readAttachment(existingPath(place, path), path);
      const image = await prepareAttachment(bytes, path);
      if (image) images.push(image);
      else parts.push(`<file path="${path}">\n${attachedText(bytes, path)}\n</file>`);
    }
  }
  const text = [spoken.join(" ").trim(), ...parts, piped?.trimEnd() ?? ""].filter((part) => part !== "").join("\n\n");
  return { text, images };
}

/** Undefined for what is no image. */
async function prepareAttachment(bytes: Buffer, path: string): Promise<ImageContent | undefined> {
  try {
    return (await prepareImage(bytes))?.content;
  } catch (error) {
    if (error instanceof ImageProblem) throw new UsageError(`The image ${path} cannot be sent: ${error.message}.`);
    throw error;
  }
}

function attachedText(bytes: Buffer, path: string): string {
  if (isBinary(bytes))
    throw new UsageError(`The file ${path} is neither text nor an image, so it cannot be put into a prompt.`);
  return readableText(bytes).text;
}

async function readAttachment(absolute: string, path: string): Promise<Buffer> {
  try {
    const bytes = await readFile(absolute);
    if (bytes.length > FILE_BYTES_MAX) throw new UsageError(`The file ${path} is over ${FILE_BYTES_MAX} bytes.`);
    return bytes;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EISDIR") throw new UsageError(`${path} is a folder. Name a file of it, or the folder without the @.`);
    if (code === "ENOENT")
      throw new UsageError(`There is no file ${path}. To begin a word with @ that is no file, write @@.`);
    throw new UsageError(`The file ${path} cannot be read (${code ?? error}).`);
  }
}
