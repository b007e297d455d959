import fc from "fast-check";
import { expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import { decode } from "../decoding.ts";

const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });
const finish = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

/** A text in pieces of the given sizes, the rest in one. */
function pieces(text: string, sizes: readonly number[]): string[] {
  const cut: string[] = [];
  let at = 0;
  for (const size of sizes) {
    cut.push(text.slice(at, at + size));
    at += size;
  }
  return [...cut, text.slice(at)];
}

const cuts = fc.array(fc.nat(9), { maxLength: 12 });

test("an answer is the same however its text, thinking and arguments are cut", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const value = fc.dictionary(
    fc.string({ maxLength: 5 }).filter((name) => name !== "__proto__"),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(text, text, value, cuts, fc.boolean(), (thinking, answer, args, sizes, withIds) => {
      const raw = JSON.stringify(args);
      const frames = (cut: readonly number[]) => [
        ...pieces(thinking, cut).map((piece) => delta({ reasoning_content: piece })),
        ...pieces(answer, cut).map((piece) => delta({ content: piece })),
        delta({ tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: "" } }] }),
        ...pieces(raw, cut).map((piece) =>
          delta({ tool_calls: [{ index: 0, ...(withIds && { id: "c1" }), function: { arguments: piece } }] }),
        ),
        finish,
      ];
      const whole = decode(openaiCompletions, frames([])).message;
      expect(decode(openaiCompletions, frames(sizes)).message).toEqual(whole);
      expect(whole.content.at(-1)).toEqual({ type: "toolCall", id: "c1", name: "read", arguments: JSON.parse(raw) });
    }),
    { numRuns: 500 },
  );
});

test("an answer that is cut off after any frame has no end, and no call that could be run by mistake", () => {
  const raw = '{"path":"/tmp/a","nested":{"b":[1,2]}}';
  const frames = [
    delta({ content: "Hi" }),
    ...[...raw].map((piece, index) =>
      delta({
        tool_calls: [{ index: 0, ...(index === 0 && { id: "c1" }), function: { name: "rm", arguments: piece } }],
      }),
    ),
  ];
  for (let count = 0; count <= frames.length; count++) {
    const cut = frames.slice(0, count);
    expect(decode(openaiCompletions, cut).events.at(-1)).toBe("open");
    const { message } = decode(openaiCompletions, [...cut, finish]);
    const call = message.content.find((block) => block.type === "toolCall");
    const isWhole = count === frames.length;
    if (call) expect(call.malformedArguments).toBe(isWhole ? undefined : raw.slice(0, count - 1));
    else expect(count).toBeLessThan(2);
  }
});
