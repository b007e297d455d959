import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ThinkTagSplitter } from "../../../src/api/openai-completions/think-tags.ts";

/** What a splitter makes of text in pieces: `T` text, `K` thinking, `|` where thinking without an opening tag ended. */
function split(pieces: readonly string[]): string {
  let told = "";
  let kind = "";
  const tell = (next: string, delta: string): void => {
    if (delta === "") return;
    told += kind === next ? delta : `[${next}]${delta}`;
    kind = next;
  };
  const splitter = new ThinkTagSplitter({
    text: (delta) => tell("T", delta),
    thinking: (delta) => tell("K", delta),
    unopenedThinkingEnded: () => {
      told += "|";
    },
  });
  for (const piece of pieces) splitter.write(piece);
  splitter.flush();
  return told;
}

const CASES = [
  { name: "thinking, then text", text: "<think>Hm.</think>Hi", told: "[K]Hm.[T]Hi" },
  { name: "white space around the tags", text: "\n <think>\nHm.\n</think>\n\nHi\n", told: "[K]\nHm.\n[T]Hi\n" },
  { name: "empty thinking", text: "<think></think>Hi", told: "[T]Hi" },
  { name: "thinking without an end", text: "<think>Hm. <thin", told: "[K]Hm. <thin" },
  { name: "thinking twice", text: "<think>a</think> <think>b</think>Hi", told: "[K]ab[T]Hi" },
  { name: "a swallowed opening tag", text: "Hm.\n</think>\n\nHi", told: "[T]Hm.\n|Hi" },
  { name: "text about the tags", text: "Write <think>a</think> here", told: "[T]Write <think>a</think> here" },
  { name: "text about the tags, after thinking", text: "<think>a</think>b\n</think>c", told: "[K]a[T]b\n</think>c" },
  { name: "another tag", text: "<thinking>a</thinking>", told: "[T]<thinking>a</thinking>" },
  { name: "a tag that begins and does not end", text: "<thi", told: "[T]<thi" },
  { name: "a closing tag that begins and does not end", text: "a\n</thi", told: "[T]a\n</thi" },
  {
    name: "a closing tag inside thinking that is none",
    text: "<think>a</thinking></think>b",
    told: "[K]a</thinking>[T]b",
  },
  {
    name: "a tag after very much white space",
    text: `${" ".repeat(257)}<think>a`,
    told: `[T]${" ".repeat(257)}<think>a`,
  },
  { name: "only white space", text: " \n\n ", told: "[T] \n\n " },
  { name: "nothing", text: "", told: "" },
];

describe("inline thinking tags", () => {
  test.each(CASES)("$name", ({ text, told }) => {
    expect(split([text])).toBe(told);
  });

  test.each(CASES)("$name, cut anywhere", ({ text, told }) => {
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        expect(split([text.slice(0, first), text.slice(first, second), text.slice(second)])).toBe(told);
      }
    }
    expect(split([...text])).toBe(told);
  });

  test("any text gives the same however it is cut", () => {
    const part = fc.constantFrom(
      "<think>",
      "</think>",
      "<",
      "/think>",
      "<think",
      "\n",
      " ",
      "a",
      " ".repeat(300),
      "🎼",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 8 }), (parts, sizes) => {
        const text = parts.join("");
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(split([...pieces, text.slice(at)])).toBe(split([text]));
      }),
      { numRuns: 2000 },
    );
  });
});
