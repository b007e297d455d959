// Images in the results of tools, whoever wrote the tool: prepared like those that are read from files. One that cannot be shown becomes
// a sentence for the model, and the rest of the result stays.
import type { AfterToolCallContext, AfterToolCallResult } from "@rondo/agent";
import type { ImageContent, TextContent } from "@rondo/ai";
import { ImageProblem, prepareImage } from "./prepare-image.ts";

/** Providers take no more than about a hundred in a whole request. */
const IMAGES_MAX = 20;

/** The hook that prepares them. */
export async function prepareResultImages({
  result: { content },
}: Pick<AfterToolCallContext, "result">): Promise<AfterToolCallResult | undefined> {
  if (!content.some((part) => part.type === "image")) return undefined;
  let images = 0;
  const prepared: (TextContent | ImageContent)[] = [];
  for (const part of content) {
    if (part.type === "image") images += 1;
    prepared.push(part.type !== "image" || images <= IMAGES_MAX ? await prepare(part) : note("there are too many"));
  }
  return { content: prepared };
}

async function prepare(part: TextContent | ImageContent): Promise<TextContent | ImageContent> {
  if (part.type !== "image") return part;
  try {
    const image = await prepareImage(Buffer.from(part.data, "base64"));
    return image?.content ?? note("it is none of the kinds that are known");
  } catch (error) {
    if (error instanceof ImageProblem) return note(error.message);
    throw error;
  }
}

function note(reason: string): TextContent {
  return { type: "text", text: `(An image that is not shown: ${reason}.)` };
}
