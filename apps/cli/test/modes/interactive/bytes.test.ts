// What is typed and pasted reaches the editor whole, however its bytes are cut into reads.
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { RawTerminal } from "../../../src/terminal/raw-terminal.ts";
import { startRig } from "./interactive-rig.ts";

/** Two and three bytes a letter, signs of four that are joined, flags, marks above and below. */
const TEXT = "Grüße 日本語 👩‍👩‍👧 🇩🇪 e\u0301 नि ọ̉";
const paste = (text: string) => Buffer.from(`\x1b[200~${text}\x1b[201~`);

/** Bytes as a terminal gives them: every piece is a read of its own. */
class Bytes extends PassThrough {
  setRawMode(): void {}
}

/** So long is a slow line silent between two reads. */
const SILENCE_MS = 10_000;

/** Interactive mode behind the terminal's own way of reading. Takes reads, and gives what stands in the editor then. */
function startReader() {
  const rig = startRig({});
  const { editor } = rig.mode.workbench;
  // Time passes only where it is made to, so that no half of a key counts as one because the machine is busy.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return async (reads: Uint8Array[], silenceMs = 0): Promise<string> => {
    editor.setText("");
    const input = new Bytes();
    const terminal = new RawTerminal(input, Object.assign(new EventEmitter(), { write: () => {} }), () => {});
    terminal.start(
      (data) => rig.terminal.press(data),
      () => {},
    );
    for (const read of reads) {
      input.write(read);
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(silenceMs);
    }
    terminal.stop();
    return editor.getExpandedText();
  };
}

test("a text whose bytes come one by one is written as it is, at the end and in the middle", async () => {
  const written = startReader();
  const bytes = Array.from(Buffer.from(TEXT), (byte) => Uint8Array.of(byte));
  expect(await written(bytes)).toBe(TEXT);
  const left = Buffer.from("\x1b[D");
  expect(await written([Buffer.from("日b"), left, ...bytes])).toBe(`日${TEXT}b`);
});

test("a paste that is cut into two reads at any byte is what was pasted", async () => {
  const written = startReader();
  const bytes = paste(`${TEXT}\n${TEXT}`);
  for (let cut = 1; cut < bytes.length; cut++)
    expect(await written([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toBe(`${TEXT}\n${TEXT}`);
  expect(await written(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(`${TEXT}\n${TEXT}`);
});

test("on a slow line a paste and a key may be cut anywhere behind what could be a key by itself", async () => {
  const written = startReader();
  const bytes = paste("one\ntwo");
  for (let cut = 3; cut < bytes.length; cut++)
    expect(await written([bytes.subarray(0, cut), bytes.subarray(cut)], SILENCE_MS), `cut at ${cut}`).toBe("one\ntwo");
  // Ctrl and the arrow to the left: a word back.
  const back = Buffer.from("\x1b[1;5D");
  for (let cut = 3; cut < back.length; cut++) {
    const reads = [Buffer.from("a b"), back.subarray(0, cut), back.subarray(cut), Buffer.from("x")];
    expect(await written(reads, SILENCE_MS), `cut at ${cut}`).toBe("a xb");
  }
  expect(await written([Buffer.from("日").subarray(0, 1), Buffer.from("日").subarray(1)], SILENCE_MS)).toBe("日");
});
