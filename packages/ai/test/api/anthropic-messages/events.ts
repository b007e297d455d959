// Events of the Messages API, written short.

export const started = (message: object = {}) => ({ type: "message_start", message: { id: "msg_1", ...message } });
export const begun = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
export const delta = (index: number, fields: object) => ({ type: "content_block_delta", index, delta: fields });
export const text = (index: number, piece: string) => delta(index, { type: "text_delta", text: piece });
export const thinking = (index: number, piece: string) => delta(index, { type: "thinking_delta", thinking: piece });
export const signature = (index: number, piece: string) => delta(index, { type: "signature_delta", signature: piece });
export const json = (index: number, partial_json: string) => delta(index, { type: "input_json_delta", partial_json });
export const ended = (index: number) => ({ type: "content_block_stop", index });
export const stopped = (stop_reason: string | null, more: object = {}) => ({
  type: "message_delta",
  delta: { stop_reason, ...more },
});
export const last = { type: "message_stop" };
export const toolUse = (more: object = {}) => ({ type: "tool_use", id: "toolu_1", name: "read", input: {}, ...more });

/** The end of an answer. */
export const finished = (reason = "end_turn", more: object = {}) => [stopped(reason, more), last];
