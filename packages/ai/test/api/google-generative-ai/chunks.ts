// Chunks of streamGenerateContent, written short.

export const chunk = (parts: object[], candidate: object = {}, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...candidate }],
  ...more,
});
export const text = (piece: string, more: object = {}) => chunk([{ text: piece, ...more }]);
export const thought = (piece: string, more: object = {}) => text(piece, { thought: true, ...more });
export const calling = (functionCall: object, more: object = {}) => chunk([{ functionCall, ...more }]);
export const stop = (finishReason: string | number = "STOP", more: object = {}) => chunk([], { finishReason, ...more });
