// Between the blocks of the Agent Client Protocol and our own messages. Pure.
import type { ContentBlock, PromptResponse } from "@agentclientprotocol/sdk";
import type { AgentEndReason } from "@rondo/agent";
import type { ImageContent } from "@rondo/ai";

/** What a person said in an editor: text with the files that it names, and images. */
export function readPrompt(blocks: ContentBlock[]): { text: string; images: ImageContent[] } {
  const texts: string[] = [];
  const images: ImageContent[] = [];
  for (const block of blocks) {
    if (block.type === "text") texts.push(block.text);
    else if (block.type === "image") images.push({ type: "image", data: block.data, mimeType: block.mimeType });
    else if (block.type === "resource_link") texts.push(`@${filePath(block.uri)}`);
    else if (block.type === "resource" && "text" in block.resource)
      texts.push(`\n<file path="${filePath(block.resource.uri)}">\n${block.resource.text}\n</file>\n`);
  }
  return { text: texts.join(""), images };
}

/** Why a run ended, in the protocol's words; undefined for a failure, which is an error there. */
export function stopReasonOf(
  reason: AgentEndReason,
  lastStop: string | undefined,
): PromptResponse["stopReason"] | undefined {
  if (reason === "error") return undefined;
  if (reason === "aborted") return "cancelled";
  if (reason === "budget") return "max_turn_requests";
  return lastStop === "length" ? "max_tokens" : "end_turn";
}

function filePath(uri: string): string {
  return uri.startsWith("file://") ? decodeURIComponent(uri.slice("file://".length)) : uri;
}
