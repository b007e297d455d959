// Chunks of Chat Completions, written short.

export const delta = (fields: object, finishReason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
});
export const stop = (reason = "stop") => delta({}, reason);
export const call = (index: number | undefined, id: string | undefined, name: string | undefined, args?: unknown) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: "function",
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});
export const calls = (...pieces: object[]) => delta({ tool_calls: pieces });

/** The arguments of the calls in these tests. */
export const A = '{"path":"a"}';
export const B = '{"path":"b"}';

/** The events of a call of `read` that came in one piece. */
export const read = (index: number, id: string, path: string): string[] => [
  `toolcall_start ${index}`,
  `toolcall_delta ${index} ${JSON.stringify(`{"path":"${path}"}`)}`,
  `toolcall_end ${index} ${id} read {"path":"${path}"}`,
];

/** Two calls that stay open until the end. */
export const twoReads = (first: string, second: string): string[] => {
  const [start1, delta1, end1] = read(0, first, "a");
  const [start2, delta2, end2] = read(1, second, "b");
  return ["start", start1, delta1, start2, delta2, end1, end2, "done toolUse"] as string[];
};
