import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Output } from "../../src/terminal/output.ts";
import { screenObstacle } from "../../src/terminal/screen-obstacle.ts";

/** An output to a terminal or a pipe, and what was written to it. */
function capture(isTerminal: boolean, env: Record<string, string> = {}) {
  const target = Object.assign(new PassThrough({ highWaterMark: 16 }), { isTTY: isTerminal });
  const broken: string[] = [];
  const output = new Output(target, env, () => broken.push("broken"));
  const read = () => target.setEncoding("utf8").read() ?? "";
  return { target, output, read, broken };
}

test("foreign text commands no terminal, whatever it is and however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.constantFrom("\x1b]52;c;x\x07", "\x1b[2J", "\x9b1m", "a\rb", "\u202e"),
        ),
      ),
      async (pieces) => {
        const target = Object.assign(new PassThrough({ highWaterMark: 10_000_000 }), { isTTY: true });
        const output = new Output(target, {});
        for (const piece of pieces) await output.writeForeign(piece);
        expect(target.setEncoding("utf8").read() ?? "").not.toMatch(
          /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
        );
      },
    ),
  );
});

test("into a pipe foreign text goes as it is", async () => {
  const { output, read } = capture(false);
  await output.writeForeign("\x1b[1m\r");
  expect(read()).toBe("\x1b[1m\r");
});

describe("colour", () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { TERM: "dumb" }, false],
  ])("terminal %j with %j: %j", (isTerminal, env, isColoured) => {
    expect(capture(isTerminal, env).output.style("red", "x") !== "x").toBe(isColoured);
  });
});

test("a slow reader is waited for", async () => {
  const { target, output } = capture(false);
  let written = false;
  const write = output.write("x".repeat(100)).then(() => {
    written = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBe(false);
  target.resume();
  await write;
  for (let count = 0; count < 20; count++) await output.write("x".repeat(100));
  expect(["drain", "close"].map((event) => target.listenerCount(event))).toEqual([0, 0]);
});

test("a reader that has gone is told of once, and writing goes on into nothing", async () => {
  const { target, output, broken } = capture(false);
  target.destroy(new Error("EPIPE"));
  await new Promise((resolve) => setImmediate(resolve));
  await output.write("x");
  expect(broken).toEqual(["broken"]);
});

test("endLine ends a line that is open and no other", async () => {
  const { target, output } = capture(false);
  let text = "";
  target.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  for (const piece of ["a", "\n"]) {
    await output.write(piece);
    await output.endLine();
  }
  expect(text).toBe("a\n\n");
});

test.each([
  [true, true, "xterm", undefined],
  [true, true, undefined, undefined],
  [undefined, true, "xterm", "standard input is no terminal"],
  [true, undefined, "dumb", "standard output is no terminal"],
  [
    true,
    true,
    "dumb",
    "TERM is dumb, which stands for a terminal that can only print lines (TERM=xterm rondo, if it can do more)",
  ],
])("why there is no screen: input %s, output %s, TERM %s", (isInput, isOutput, term, obstacle) => {
  const place = { stdin: { isTTY: isInput }, stdout: { isTTY: isOutput }, env: { TERM: term } };
  expect(screenObstacle(place as unknown as NodeJS.Process)).toBe(obstacle);
});
