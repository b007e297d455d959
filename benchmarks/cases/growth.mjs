// How CPU time grows with the size of what arrives: an exponent of 1 is linear, 2 quadratic.
import { growthExponent, Helper, startModelServer } from "../measure.mjs";

const api = "anthropic-messages";
const KILOBYTE = 1024;
const STREAMED = {
  "tool arguments, KB in deltas of 20 bytes": [
    [50, 200, 800, 4000],
    (size) => ({ kind: "tool", count: (size * KILOBYTE) / 20, pieceLength: 20 }),
  ],
  "one SSE line, MB": [[1, 4, 16, 32], (size) => ({ kind: "text", count: 1, pieceLength: size * KILOBYTE * KILOBYTE })],
  "content blocks": [[1_250, 2_500, 5_000, 10_000], (size) => ({ kind: "blocks", count: size })],
  "keys in one object": [[8_875, 17_750, 35_500, 71_000], (size) => ({ kind: "keys", count: size })],
};
const IN_PROCESS = {
  "unread events": [100_000, 200_000, 400_000, 800_000],
  "messages of a transcript": [2_500, 5_000, 10_000, 20_000],
};

export const title = "Growth";
export const note = "Rondo alone, CPU milliseconds at each size, the best of three. An exponent of 1 is linear.";

async function bestOf(times, measure) {
  const costs = [];
  for (let run = 0; run < times; run++) costs.push(await measure());
  return Math.min(...costs);
}

function row(what, points) {
  const cells = points.map(([size, cost]) => `${size}: ${cost.toFixed(1)}`);
  const exponent = growthExponent(points);
  return {
    what,
    "size: CPU ms": cells.join(", "),
    exponent: exponent.toFixed(2),
    linear: exponent < 1.25 ? "yes" : "no",
  };
}

export async function measure() {
  const server = await startModelServer();
  const rows = [];
  const rondo = new Helper("./subject-process.mjs", ["./subjects/rondo.mjs"]);
  for (const [what, [sizes, settings]] of Object.entries(STREAMED)) {
    const points = [];
    for (const size of [sizes[0], ...sizes]) {
      const url = server.url({ api, ...settings(size) });
      points.push([size, await bestOf(3, async () => (await rondo.ask({ task: "stream", api, url })).cpuMs)]);
    }
    rows.push(row(what, points.slice(1)));
  }
  rondo.close();
  server.close();
  const work = new Helper("./work-process.mjs");
  for (const [what, sizes] of Object.entries(IN_PROCESS)) {
    const points = [];
    for (const size of [sizes[0], sizes[1], ...sizes])
      points.push([size, (await work.ask({ work: what, size })).cpuMs]);
    rows.push(row(what, points.slice(2)));
  }
  work.close();
  return rows;
}
