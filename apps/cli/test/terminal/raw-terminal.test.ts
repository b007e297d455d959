// Raw mode: pastes in one piece however they arrive, keys as whole sequences, and a terminal that is put back.
import { EventEmitter } from "node:events";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RawTerminal } from "../../src/terminal/raw-terminal.ts";

class FakeInput extends EventEmitter {
  isRaw = false;
  isPaused = true;
  setRawMode(raw: boolean): void {
    this.isRaw = raw;
  }
  setEncoding(): void {}
  resume(): void {
    this.isPaused = false;
  }
  pause(): void {
    this.isPaused = true;
  }
}

class FakeOutput extends EventEmitter {
  columns = 80;
  rows = 24;
  written = "";
  write(text: string): void {
    this.written += text;
  }
}

function setUp(pause?: () => Promise<void>) {
  const [input, output] = [new FakeInput(), new FakeOutput()];
  let gone = 0;
  const onGone = () => {
    gone++;
  };
  const terminal = new RawTerminal(input, output, onGone, pause);
  const received: string[] = [];
  terminal.start(
    (data) => received.push(data),
    () => received.push("resize"),
  );
  return { input, output, terminal, received, goneCount: () => gone };
}

const PUT_BACK = "\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?25h";

test("stopping undoes raw mode and bracketed paste, once, whenever it is called", () => {
  const { input, output, terminal, received } = setUp();
  expect(input.isRaw).toBe(true);
  terminal.stop();
  terminal.stop();
  expect(output.written).toBe(`\x1b[?2004h\x1b[?u${PUT_BACK}`);
  expect([input.isRaw, input.isPaused]).toEqual([false, true]);
  input.emit("data", "x");
  output.emit("resize");
  expect(received).toEqual([]);
});

test("the kitty keyboard is used where the terminal has it, and given back", () => {
  const { input, output, terminal, received } = setUp();
  input.emit("data", "\x1b[?0u");
  terminal.stop();
  expect(output.written).toBe(`\x1b[?2004h\x1b[?u\x1b[>7u\x1b[<u${PUT_BACK}`);
  expect(received).toEqual([]);
});

test("the flags of runs that were killed are taken off before the own ones are put on", () => {
  const { input, output, terminal } = setUp();
  for (const answer of ["\x1b[?7u", "\x1b[?7u", "\x1b[?0u"]) input.emit("data", answer);
  terminal.stop();
  expect(output.written).toBe(`\x1b[?2004h\x1b[?u\x1b[<u\x1b[?u\x1b[<u\x1b[?u\x1b[>7u\x1b[<u${PUT_BACK}`);
});

test("a terminal that answers so in any case is believed at last", () => {
  const { input, output, terminal } = setUp();
  for (let times = 0; times < 9; times++) input.emit("data", "\x1b[?7u");
  terminal.stop();
  expect(output.written.match(/\x1b\[>7u/g)).toHaveLength(1);
});

test("the release of the key that ended it is taken off the terminal before the shell reads", async () => {
  let pauses = 0;
  const { input, output, terminal, received } = setUp(async () => {
    pauses++;
    input.emit("data", "\x1b[99;5:3u");
  });
  await terminal.drainInput();
  input.emit("data", "\x1b[?0u");
  received.length = 0;
  await terminal.drainInput();
  terminal.stop();
  await terminal.drainInput();
  expect([pauses, received]).toEqual([1, []]);
  expect(output.written).toBe(`\x1b[?2004h\x1b[?u\x1b[>7u\x1b[<u${PUT_BACK}`);
});

test("a terminal that goes away is told of once, and nothing is written to it any more", () => {
  const { input, output, terminal, goneCount } = setUp();
  const before = output.written;
  output.emit("error", new Error("EIO"));
  input.emit("end");
  input.emit("close");
  terminal.write("x");
  terminal.stop();
  expect([goneCount(), output.written]).toEqual([1, before]);
});

test("a terminal of unknown size has 80 columns and 24 rows", () => {
  const { output, terminal } = setUp();
  output.columns = 0;
  output.rows = Number.NaN;
  expect([terminal.columns, terminal.rows]).toEqual([80, 24]);
  terminal.stop();
});

test("Escape twice at once is two keys", () => {
  const { input, terminal, received } = setUp();
  input.emit("data", "\x1b\x1b");
  terminal.stop();
  expect(received).toEqual(["\x1b", "\x1b"]);
});

test("a character is one key, however many units it is made of", () => {
  const { input, terminal, received } = setUp();
  input.emit("data", "日👩\u200d👧e\u0301");
  terminal.stop();
  expect(received).toEqual(["日", "👩", "\u200d", "👧", "e", "\u0301"]);
});

test("a paste comes in one piece, wherever it was cut on its way", () => {
  const text = "first line\nsecond \x1b[31mline\r\nthird\ttab 日本 \u{1f600} end";
  const sent = `a\x1b[200~${text}\x1b[201~b`;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: sent.length }), { maxLength: 6 }), (cuts) => {
      const { input, terminal, received } = setUp();
      const borders = [0, ...cuts.sort((a, b) => a - b), sent.length];
      for (let index = 1; index < borders.length; index++) {
        const chunk = sent.slice(borders[index - 1], borders[index]);
        if (chunk !== "") input.emit("data", chunk);
      }
      terminal.stop();
      expect(received).toEqual(["a", `\x1b[200~${text}\x1b[201~`, "b"]);
    }),
    { numRuns: 300 },
  );
});

test("several lines at once are a paste, even if the terminal does not say so; one line and Enter are keys", () => {
  const { input, terminal, received } = setUp();
  input.emit("data", "first line\rsecond line\r");
  input.emit("data", "ok\r");
  terminal.stop();
  expect(received).toEqual(["\x1b[200~first line\rsecond line\r\x1b[201~", "o", "k", "\r"]);
});

test("a paste of 400,000 characters comes in one piece", () => {
  const { input, terminal, received } = setUp();
  const piece = `${"x".repeat(4095)}\n`;
  input.emit("data", "\x1b[200~");
  for (let index = 0; index < 100; index++) input.emit("data", piece);
  input.emit("data", "\x1b[201~");
  terminal.stop();
  expect(received).toEqual([`\x1b[200~${piece.repeat(100)}\x1b[201~`]);
});
