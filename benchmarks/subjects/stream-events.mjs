/** Reads the events that Rondo and pi share, and gives the number of characters in the deltas of text and tool calls. */
export async function countDeltas(events) {
  let characters = 0;
  for await (const event of events) {
    if (event.type === "text_delta" || event.type === "toolcall_delta") characters += event.delta.length;
    else if (event.type === "error") throw new Error(event.error.errorMessage);
  }
  return characters;
}
