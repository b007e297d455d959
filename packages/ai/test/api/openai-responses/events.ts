// Events of the Responses API, written short.

export const event = (type: string, fields: object = {}) => ({ type: `response.${type}`, ...fields });
export const added = (index: number, item: object) => event("output_item.added", { output_index: index, item });
export const done = (index: number, item: object) => event("output_item.done", { output_index: index, item });
export const text = (index: number | undefined, delta: string, part = 0) =>
  event("output_text.delta", { ...(index !== undefined && { output_index: index }), content_index: part, delta });
export const summary = (index: number, part: number, delta: string) =>
  event("reasoning_summary_text.delta", { output_index: index, summary_index: part, delta });
export const args = (index: number, delta: string) =>
  event("function_call_arguments.delta", { output_index: index, delta });
export const completed = (fields: object = {}) => event("completed", { response: { status: "completed", ...fields } });

export const messageItem = (content: string, more: object = {}) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text: content }],
  ...more,
});
export const emptyMessage = { type: "message", id: "msg_1", role: "assistant", content: [] };
export const callItem = (args: unknown, more: object = {}) => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "read",
  arguments: args,
  ...more,
});
export const reasoningItem = (more: object = {}) => ({ type: "reasoning", id: "rs_1", summary: [], ...more });
export const A = '{"path":"a"}';

/** The events of an answer "Hello" in the given pieces. */
export const hello = (...deltas: string[]): string[] => [
  "start",
  "text_start 0",
  ...deltas.map((delta) => `text_delta 0 ${JSON.stringify(delta)}`),
  `text_end 0 "Hello"`,
  "done stop",
];
