// Answers that are no text: said once, never dropped in silence.
import { expect, test } from "vitest";
import { googleGenerativeAi } from "../../src/api/google-generative-ai/index.ts";
import { openaiCompletions } from "../../src/api/openai-completions/index.ts";
import { openaiResponses } from "../../src/api/openai-responses/index.ts";
import type { ApiProtocol } from "../../src/protocol.ts";
import { decode } from "./decoding.ts";
import { delta, stop } from "./openai-completions/chunks.ts";
import { completed, done } from "./openai-responses/events.ts";

const PICTURE = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const googlePart = (part: object, more: object = {}) => ({ candidates: [{ content: { parts: [part] }, ...more }] });

test.each<[what: string, protocol: ApiProtocol, frames: object[], said: string[]]>([
  [
    "pictures beside the text (OpenRouter)",
    openaiCompletions,
    [delta({ content: "Here.", images: [PICTURE] }), delta({ images: [PICTURE] }), stop()],
    ["a picture"],
  ],
  ["no pictures", openaiCompletions, [delta({ content: "Here.", images: [] }), delta({ images: null }), stop()], []],
  ["a picture as a part of the content", openaiCompletions, [delta({ content: [PICTURE] }), stop()], ["a picture"]],
  ["sound", openaiCompletions, [delta({ audio: { id: "a1", data: "AAAA" } }), stop()], ["sound"]],
  [
    "a picture of a generating tool",
    openaiResponses,
    [done(0, { type: "image_generation_call", id: "ig_1", result: "iVBORw0KGgo=" }), completed()],
    ["a picture"],
  ],
  [
    "inline data of Gemini",
    googleGenerativeAi,
    [
      googlePart({ inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }),
      googlePart({ inlineData: { mimeType: "audio/wav", data: "AAAA" } }),
      googlePart({ inlineData: { mimeType: "video/mp4", data: "AAAA" } }, { finishReason: "STOP" }),
    ],
    ["a picture", "sound", "a file"],
  ],
])("%s", (_what, protocol, frames, said) => {
  const { message, events } = decode(protocol, frames);
  expect(events.at(-1)).toBe("done stop");
  expect(message.diagnostics ?? []).toEqual(
    said.map((what) => ({
      code: "content_left_out",
      message: `The model answered with ${what}, which a message cannot hold; it was left out.`,
    })),
  );
});
