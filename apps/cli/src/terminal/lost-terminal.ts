// A terminal that goes away while the process runs. Node puts terminals back at its end, and aborts, with a dump of its memory,
// if one cannot be reached (ResetStdio in src/node.cc, Node 20 to 24).
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";

const STANDARD_STREAMS = [0, 1, 2];

/** Sees to it that the process can end when its terminal is gone. */
export function endWithoutTerminal(): void {
  const terminals = STANDARD_STREAMS.filter((stream) => isatty(stream));
  process.once("exit", () => {
    for (const stream of terminals)
      if (!isatty(stream)) {
        closeSync(stream);
        // The lowest number that is free is the one that was closed.
        openSync(devNull, "r+");
      }
  });
}
