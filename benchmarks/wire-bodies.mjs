// Answers in the wire formats of the four APIs, made on the spot: many small deltas of text, or of tool arguments. Gemini's API sends
// each call whole, so its tool arguments are many calls.

const line = (data) => `data: ${JSON.stringify(data)}\n\n`;
const named = (data) => `event: ${data.type}\n${line(data)}`;

/** The argument text of a call `write` whose `content` comes in `count` pieces. The pieces add up to a JSON object. */
function argumentPieces(count, piece) {
  return ['{"path":"a.txt","content":"', ...Array(count).fill(piece), '"}'];
}

function anthropic({ kind, pieces }) {
  const isText = kind === "text";
  const block = isText ? { type: "text", text: "" } : { type: "tool_use", id: "toolu_1", name: "write", input: {} };
  const delta = (piece) =>
    isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    usage,
  };
  return [
    named({ type: "message_start", message }),
    named({ type: "content_block_start", index: 0, content_block: block }),
    ...pieces.map((piece) => named({ type: "content_block_delta", index: 0, delta: delta(piece) })),
    named({ type: "content_block_stop", index: 0 }),
    named({ type: "message_delta", delta: { stop_reason: isText ? "end_turn" : "tool_use" }, usage }),
    named({ type: "message_stop" }),
  ];
}

function completions({ kind, pieces }) {
  const isText = kind === "text";
  const chunk = (delta, finish_reason = null) =>
    line({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    });
  const call = { index: 0, id: "call_1", type: "function", function: { name: "write", arguments: "" } };
  const delta = (piece) =>
    isText ? { content: piece } : { tool_calls: [{ index: 0, function: { arguments: piece } }] };
  return [
    chunk(isText ? { role: "assistant", content: "" } : { role: "assistant", content: null, tool_calls: [call] }),
    ...pieces.map((piece) => chunk(delta(piece))),
    chunk({}, isText ? "stop" : "tool_calls"),
    "data: [DONE]\n\n",
  ];
}

function responses({ kind, pieces }) {
  const isText = kind === "text";
  const whole = pieces.join("");
  const part = (text) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const item = isText
    ? { id: "item_1", type: "message", role: "assistant", status: "completed", content: [part(whole)] }
    : { id: "item_1", type: "function_call", call_id: "call_1", name: "write", arguments: whole, status: "completed" };
  const opened = isText
    ? { ...item, status: "in_progress", content: [] }
    : { ...item, status: "in_progress", arguments: "" };
  const response = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "in_progress", output: [] };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  const place = { item_id: "item_1", output_index: 0 };
  const events = [
    { type: "response.created", response },
    { type: "response.output_item.added", output_index: 0, item: opened },
  ];
  if (isText) events.push({ type: "response.content_part.added", ...place, content_index: 0, part: part("") });
  for (const delta of pieces)
    events.push(
      isText
        ? { type: "response.output_text.delta", ...place, content_index: 0, delta, logprobs: [] }
        : { type: "response.function_call_arguments.delta", ...place, delta },
    );
  if (isText) {
    events.push({ type: "response.output_text.done", ...place, content_index: 0, text: whole, logprobs: [] });
    events.push({ type: "response.content_part.done", ...place, content_index: 0, part: part(whole) });
  } else events.push({ type: "response.function_call_arguments.done", ...place, name: "write", arguments: whole });
  events.push({ type: "response.output_item.done", output_index: 0, item });
  events.push({ type: "response.completed", response: { ...response, status: "completed", output: [item], usage } });
  return events.map((event, index) => named({ ...event, sequence_number: index }));
}

function google({ kind, pieces }) {
  const chunk = (part, end) =>
    line({
      candidates: [{ content: { parts: [part], role: "model" }, index: 0, ...end }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: "m",
      responseId: "r1",
    });
  const parts = pieces.map((piece, index) =>
    kind === "text"
      ? { text: piece }
      : { functionCall: { id: `call_${index}`, name: "write", args: { path: "a.txt", content: piece } } },
  );
  return parts.map((part, index) => chunk(part, index === parts.length - 1 && { finishReason: "STOP" }));
}

const ENCODERS = {
  "anthropic-messages": anthropic,
  "openai-completions": completions,
  "openai-responses": responses,
  "google-generative-ai": google,
};
export const APIS = Object.keys(ENCODERS);

/** One block of text for each piece, in the way of Anthropic. */
function anthropicBlocks(pieces) {
  const [start, ...rest] = anthropic({ kind: "text", pieces: [] });
  const blocks = pieces.flatMap((piece, index) => [
    named({ type: "content_block_start", index, content_block: { type: "text", text: "" } }),
    named({ type: "content_block_delta", index, delta: { type: "text_delta", text: piece } }),
    named({ type: "content_block_stop", index }),
  ]);
  return [start, ...blocks, ...rest.slice(2)];
}

function keyPieces(count) {
  const pairs = Array.from({ length: count }, (_, index) => `"key${index}":${index}`);
  return ["{", ...pairs.map((pair, index) => (index === 0 ? pair : `,${pair}`)), "}"];
}

/**
 * The text of an answer of `count` deltas, each of `pieceLength` characters or the default word.
 * Kinds: text, tool (arguments of one call), blocks (a block for each delta), keys (a call whose arguments have `count` keys).
 */
export function wireBody({ api, kind, count, pieceLength }) {
  const piece = pieceLength ? "word ".repeat(pieceLength / 5) : " word";
  if (kind === "blocks") return anthropicBlocks(Array(count).fill(piece)).join("");
  if (kind === "keys") return ENCODERS[api]({ kind: "tool", pieces: keyPieces(count) }).join("");
  const isWhole = kind === "text" || api === "google-generative-ai";
  const pieces = isWhole ? Array(count).fill(piece) : argumentPieces(count, piece);
  return ENCODERS[api]({ kind, pieces }).join("");
}
