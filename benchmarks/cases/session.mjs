// Opening a long session, against the least that it can cost: reading the file and parsing each of its lines.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuOfProgram, inTurns } from "../measure.mjs";
import { sessionsFolder, writeSession } from "../written-session.mjs";

const rondo = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url));
const SIZES_MB = [5, 50];
const FLOOR_TARGET = 1.5;

export const title = "Opening a session";
export const note = `CPU milliseconds over the same without a session. Going on (\`rondo -c\`) reads a session whole and has the demo answer one line; the floor is to read the file and to parse each line. Target: at most ${FLOOR_TARGET} of the floor at 50 MB.`;

const FLOOR = `
const bytes = require("node:fs").readFileSync(process.argv[1]);
globalThis.kept = [];
for (let start = 0, end = 0; (end = bytes.indexOf(10, start)) !== -1; start = end + 1)
  kept.push(JSON.parse(bytes.toString("utf8", start, end)));
`;

export async function measure() {
  const base = mkdtempSync(join(tmpdir(), "rondo-session-"));
  const measurements = {
    nothing: () => cpuOfProgram(["-e", "0"]),
  };
  for (const megabytes of SIZES_MB) {
    const workspace = join(base, `${megabytes}`);
    mkdirSync(workspace);
    const data = join(workspace, "data");
    const folder = sessionsFolder(data, workspace);
    const path = join(folder, "long.jsonl");
    writeSession(path, workspace, ({ bytes }) => bytes >= megabytes * 1_000_000);
    const env = { HOME: base, RONDO_DATA: data, RONDO_CONFIG: join(base, "config"), PWD: workspace };
    const run = (...args) => cpuOfProgram(["-e", CHANGE_FOLDER, workspace, rondo, ...args], { env });
    measurements[`${megabytes} floor`] = () => cpuOfProgram(["-e", FLOOR, path]);
    measurements[`${megabytes} none`] = () => run("-p", "--no-session", "--model", "demo", "repeat: on");
    measurements[`${megabytes} continue`] = () => run("-p", "-c", "repeat: on");
    measurements[`${megabytes} list`] = () => run("sessions");
    measurements[`${megabytes} export`] = () => run("export", "--format", "md");
    if (readdirSync(folder).length !== 1) throw new Error(`${folder} does not hold the session.`);
  }
  const costs = await inTurns(measurements, { rounds: 5, warmUps: 1 });
  rmSync(base, { recursive: true, force: true });
  return SIZES_MB.flatMap((megabytes) => rowsOf(megabytes, costs));
}

/** Programs are measured from the folder of the benchmarks; a session belongs to the folder that it was begun in. */
const CHANGE_FOLDER = `
process.chdir(process.argv[1]);
process.argv.splice(1, 1);
import(process.argv[1]);
`;

function rowsOf(megabytes, costs) {
  const floor = costs[`${megabytes} floor`] - costs.nothing;
  const row = (what, name, base) => {
    const ms = costs[`${megabytes} ${name}`] - base;
    return { what, MB: megabytes, ms: ms.toFixed(0), "of the floor": (ms / floor).toFixed(2), target: "" };
  };
  const none = costs[`${megabytes} none`];
  const goingOn = row("rondo -c", "continue", none);
  if (megabytes === SIZES_MB.at(-1))
    goingOn.target = Number(goingOn["of the floor"]) <= FLOOR_TARGET ? "met" : "missed";
  return [
    row("the floor", "floor", costs.nothing),
    goingOn,
    row("rondo sessions", "list", costs.nothing),
    row("rondo export", "export", costs.nothing),
  ];
}
