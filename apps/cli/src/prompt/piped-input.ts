// Text that is piped into the command. With a prompt on the command line an inherited pipe that nobody writes to must not hold
// the run up, so the first byte has one second to come; from then on the whole is read.
import type { Readable } from "node:stream";
import { UsageError } from "../exit-codes.ts";

const FIRST_BYTE_MS = 1000;
const INPUT_BYTES_MAX = 10_000_000;

/** What came in, or why nothing did. */
export type PipedInput = { kind: "text"; text: string } | { kind: "none" } | { kind: "silent" };

/**
 * Reads standard input to its end, if it is no terminal.
 *
 * @param mustWait wait for the first byte however long it takes: there is no other prompt, or `-` was given
 * @returns `silent` if the pipe stayed open and empty for a second
 */
export async function readPipedInput(input: Readable & { isTTY?: boolean }, mustWait: boolean): Promise<PipedInput> {
  if (input.isTTY) return { kind: "none" };
  const parts: Buffer[] = [];
  let size = 0;
  let onFirst = () => {};
  const silent = new Promise<"silent">((resolve) => {
    if (mustWait) return;
    const timer = setTimeout(() => resolve("silent"), FIRST_BYTE_MS);
    onFirst = () => clearTimeout(timer);
  });
  const whole = new Promise<"end">((resolve, reject) => {
    input.on("data", (part: Buffer) => {
      onFirst();
      parts.push(part);
      size += part.length;
      if (size > INPUT_BYTES_MAX)
        reject(new UsageError(`Standard input is over ${INPUT_BYTES_MAX} bytes. Name a file instead.`));
    });
    input.once("end", () => resolve("end"));
    input.once("error", () => resolve("end"));
  });
  const outcome = await Promise.race([whole, silent]);
  onFirst();
  if (outcome === "silent") {
    input.removeAllListeners("data");
    input.pause();
    (input as Readable & { unref?: () => void }).unref?.();
    return { kind: "silent" };
  }
  return size === 0 ? { kind: "none" } : { kind: "text", text: Buffer.concat(parts).toString("utf8") };
}
