import { expect, test } from "vitest";
import { readSession } from "../../src/session/read-session.ts";
import { ENTRIES, HEADER, LINES } from "./session-text.ts";

const read = (text: string) => readSession(Buffer.from(text));
const problemsOf = (text: string) => read(text).problems.map(({ line, problem }) => `${line}: ${problem}`);

test("a whole file gives its header and its entries", () => {
  expect(read(LINES.join(""))).toEqual({ header: HEADER, entries: ENTRIES, problems: [] });
});

test("a file that is cut anywhere loses its last line alone", () => {
  const bytes = Buffer.from(LINES.join(""));
  const ends = LINES.map((_, index) => Buffer.byteLength(LINES.slice(0, index + 1).join("")));
  for (let length = 0; length <= bytes.length; length++) {
    const { header, entries, problems } = readSession(bytes.subarray(0, length));
    // A line that lacks nothing but its line feed is whole.
    const whole = ends.filter((end) => end - 1 <= length).length;
    expect([length, header, entries]).toEqual([
      length,
      whole > 0 ? HEADER : undefined,
      ENTRIES.slice(0, Math.max(0, whole - 1)),
    ]);
    expect(problems.length).toBe(length > (ends[whole - 1] ?? 0) ? 1 : 0);
  }
});

test("what follows a lost line is attached to what came before it", () => {
  const [header = "", first = "", , ...rest] = LINES;
  const { entries, problems } = read([header, first, '{"a":1{"b":2}\n', ...rest].join(""));
  expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
    ["e1", null],
    ["e3", "e1"],
    ["e4", "e3"],
    ["e5", "e4"],
  ]);
  expect(problems.map(({ line }) => line)).toEqual([3]);
});

test.each([
  ["NUL bytes after a power loss", "\0\0\0\0\0\0\n", "it is cut off or no JSON"],
  ["two lines in one", `{"type":"mess${LINES[2]}`, "it is cut off or no JSON"],
  ["no object", "7\n", "it is no JSON object"],
  ["a second header", LINES[0]!, "there is a header already"],
  ["an entry twice", LINES[2]!, "there is an entry e2 already"],
  ["no id", '{"type":"branch","parentId":null,"timestamp":1}\n', "it is no entry"],
  [
    "a call without arguments",
    LINES[3]!.replace("e3", "x").replace('{"path":"."}', "null"),
    "it is no entry of a kind that is known (message)",
  ],
  [
    "a kind that nobody knows",
    '{"type":"constructor","id":"x","parentId":null,"timestamp":1}\n',
    "it is no entry of a kind that is known (constructor)",
  ],
])("%s: the line is left out and told", (_name, line, problem) => {
  const text = [...LINES.slice(0, 4), line, ...LINES.slice(4)].join("");
  expect(problemsOf(text)).toEqual([`5: ${problem}`]);
  expect(read(text).entries).toEqual(ENTRIES);
});

test("without a header the entries are there all the same", () => {
  expect(read(LINES.slice(1).join(""))).toEqual({ header: undefined, entries: ENTRIES, problems: [] });
});
