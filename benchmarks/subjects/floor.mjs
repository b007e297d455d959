// What a program cannot go below: fetch, split, JSON.parse, and a look at the text.
const CALLS = {
  "anthropic-messages": (data) => data.delta?.text ?? data.delta?.partial_json,
  "openai-completions": (data) =>
    data.choices[0].delta.content ?? data.choices[0].delta.tool_calls?.[0].function.arguments,
  "openai-responses": (data) => data.delta,
  "google-generative-ai": ({ candidates: [candidate] }) =>
    candidate.content.parts[0].text ?? candidate.content.parts[0].functionCall.args.content,
};

export const name = "floor";
export const apis = Object.keys(CALLS);

/** Streams one answer and gives the number of characters in its deltas. */
export async function streamAnswer({ api, url }) {
  const textOf = CALLS[api];
  const response = await fetch(url, { method: "POST", body: "{}" });
  const decoder = new TextDecoder();
  let rest = "";
  let characters = 0;
  for await (const bytes of response.body) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) {
      const data = frame.slice(frame.indexOf("data: ") + 6);
      if (data !== "[DONE]") characters += textOf(JSON.parse(data))?.length ?? 0;
    }
  }
  return characters;
}
