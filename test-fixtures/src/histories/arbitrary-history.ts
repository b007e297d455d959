// Histories as they come out of real life: several models, parallel calls, cut-off answers, orphans, repeated and overlong
// ids, half characters, images that are not what they say. For property tests of whatever reads histories.
import fc from "fast-check";
import { IMAGES } from "./images.ts";

/** A message of a history; which fields it has depends on its role. */
export type HistoryMessage = Record<string, unknown> & { role: string };

/** The models that the answers in generated histories come from, one for each API. */
export const HISTORY_MODELS = [
  { api: "anthropic-messages", provider: "anthropic", model: "claude-fixture" },
  { api: "openai-completions", provider: "openai", model: "gpt-chat-fixture" },
  { api: "openai-responses", provider: "openai", model: "gpt-fixture" },
  { api: "google-generative-ai", provider: "google", model: "gemini-fixture" },
] as const;

/** One of the models that generated answers come from. */
export type HistoryModel = (typeof HISTORY_MODELS)[number];

/** Opaque data on the blocks of an answer, in the form in which the API that made it is remembered. */
interface Signatures {
  thinking: string;
  text?: string;
  call?: string;
}

function signaturesOf(api: string, unique: string): Signatures {
  const base64 = Buffer.from(unique).toString("base64");
  const id = unique.replaceAll("-", "");
  if (api === "google-generative-ai") return { thinking: base64, text: base64, call: base64 };
  if (api !== "openai-responses") return { thinking: base64 };
  return {
    thinking: JSON.stringify({ type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: base64 }),
    text: JSON.stringify({ id: `msg_${id}`, phase: "commentary" }),
    call: `fc_${id}`,
  };
}

const HALF_PAIRS = ["ok \ud83d", "\ude00 low", "a\ud83d\ud83d\ude00b", "\ud83d\ude00 whole"];
const text = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "  \n",
      "\u0000",
      "nul\u0000inside",
      "\u001b[31mred\u001b[0m",
      "\u00a0",
      "trailing  ",
      ...HALF_PAIRS,
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

const callId = fc.oneof(
  fc.constantFrom("call_0", "call_0", "list:0", "toolu_01", "a b", "", "abcdefghi", "call_ü", "half\ud83d"),
  fc.constantFrom(`call_${"x".repeat(195)}`, `call_${"x".repeat(194)}y`, `call_abc|fc_${"0123456789".repeat(7)}`),
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
);
const toolName = fc.oneof(
  fc.constantFrom("read", "write", "list"),
  fc.constantFrom("my.server/tool name", "t".repeat(80), "3d", "half\ud83d"),
);
const toolArguments = fc.oneof(
  fc.record({ path: text }),
  fc.dictionary(fc.constantFrom("a", "b", "half\ud83d", "__proto__"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  fc.constant({}),
);
const timestamp = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 });

const inputBlock = fc.oneof(
  { weight: 3, arbitrary: text.map((value) => ({ type: "text", text: value })) },
  { weight: 1, arbitrary: fc.constantFrom(...IMAGES) },
);
const inputBlocks = fc.array(inputBlock, { maxLength: 4 });

const userMessage: fc.Arbitrary<HistoryMessage> = fc.record({
  role: fc.constant("user"),
  content: fc.oneof(text, inputBlocks),
  timestamp,
});

const toolResult: fc.Arbitrary<HistoryMessage> = fc.record({
  role: fc.constant("toolResult"),
  toolCallId: callId,
  toolName,
  content: inputBlocks,
  isError: fc.boolean(),
  timestamp,
});

const call = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant("toolCall"), id: callId, name: toolName, arguments: toolArguments }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("toolCall"),
      id: callId,
      name: toolName,
      arguments: fc.constant({}),
      malformedArguments: fc.constant('{"path": "a'),
    }),
  },
);

function assistantMessage(authors: readonly HistoryModel[]): fc.Arbitrary<HistoryMessage> {
  return fc.constantFrom(...authors).chain((identity) => {
    const signatures = fc.uuid().map((unique) => signaturesOf(identity.api, unique));
    // What was signed came from a server, whose JSON was sound.
    const signed = fc.tuple(fc.lorem({ maxCount: 6 }), signatures);
    const signedText = signed.map(([value, { text: textSignature }]) => ({
      type: "text",
      text: value,
      ...(textSignature && { textSignature }),
    }));
    const signedThinking = signed.map(([thinking, { thinking: thinkingSignature }]) => ({
      type: "thinking",
      thinking,
      thinkingSignature,
    }));
    const redacted = signatures.map(({ thinking: thinkingSignature }) => ({
      type: "thinking",
      thinking: "",
      thinkingSignature,
      redacted: true,
    }));
    const unsigned = text.map((thinking) => ({ type: "thinking", thinking }));
    const signedCall = fc
      .tuple(call, signatures)
      .map(([block, { call: thoughtSignature }]) => ({ ...block, ...(thoughtSignature && { thoughtSignature }) }));
    const block = fc.oneof(
      text.map((value) => ({ type: "text", text: value })),
      signedText,
      fc.oneof(signedThinking, unsigned, redacted),
      call,
      signedCall,
    );
    return fc.record({
      role: fc.constant("assistant"),
      content: fc.array(block, { maxLength: 5 }),
      api: fc.constant(identity.api),
      provider: fc.constant(identity.provider),
      model: fc.constant(identity.model),
      usage: fc.constant({ cost: {} }),
      stopReason: fc.constantFrom("stop", "stop", "toolUse", "toolUse", "length", "error", "aborted"),
      timestamp,
    });
  });
}

/** An answer with results for most of its calls, in any order, now and then twice or with something between. */
function answerWithResults(authors: readonly HistoryModel[]): fc.Arbitrary<HistoryMessage[]> {
  return fc
    .record({
      assistant: assistantMessage(authors),
      fates: fc.array(fc.constantFrom("once", "once", "once", "once", "never", "twice"), {
        minLength: 5,
        maxLength: 5,
      }),
      results: fc.array(fc.record({ content: inputBlocks, isError: fc.boolean(), timestamp }), {
        minLength: 10,
        maxLength: 10,
      }),
      reversed: fc.boolean(),
      between: fc.option(userMessage, { freq: 6, nil: undefined }),
    })
    .map(({ assistant, fates, results, reversed, between }) => {
      const calls = (assistant["content"] as Record<string, unknown>[]).filter((block) => block["type"] === "toolCall");
      const answered = calls.flatMap((block, index) =>
        fates[index] === "never" ? [] : fates[index] === "twice" ? [block, block] : [block],
      );
      const messages = answered.map((block, index): HistoryMessage => {
        return { role: "toolResult", toolCallId: block["id"], toolName: block["name"], ...results[index] };
      });
      if (reversed) messages.reverse();
      return [assistant, ...(between ? [between] : []), ...messages];
    });
}

/** Any history, or none, with answers of these models. */
export function arbitraryHistory(authors: readonly HistoryModel[] = HISTORY_MODELS): fc.Arbitrary<HistoryMessage[]> {
  const step = fc.oneof(
    { weight: 4, arbitrary: userMessage.map((message) => [message]) },
    { weight: 6, arbitrary: answerWithResults(authors) },
    { weight: 1, arbitrary: toolResult.map((message) => [message]) },
    {
      weight: 1,
      arbitrary: fc.constant<HistoryMessage[]>([{ role: "notice", content: "a custom kind of message", timestamp: 0 }]),
    },
  );
  return fc.array(step, { maxLength: 8 }).map((steps) => steps.flat());
}
