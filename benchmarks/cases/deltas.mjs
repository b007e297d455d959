// CPU per streamed delta, over the floor: fetch, split, JSON.parse. Sent in chunks of 64 KB, which shows the parser rather than the socket.
import { Helper, inTurns, startModelServer } from "../measure.mjs";
import { SUBJECTS } from "../subjects.mjs";
import { APIS } from "../wire-bodies.mjs";

const DELTAS = 5_000;
/** CPU that each subject has in each round, so that everybody is equally warm. */
const BUDGET_MS = 400;
/** CPU that each has before the first row, which would otherwise pay for compiling what all rows share. */
const WARM_UP_MS = 2_000;
const TARGETS = { text: 1.8, tool: 2.2 };

export const title = "CPU per streamed delta, as a multiple of the floor";
export const note = `${DELTAS} deltas of one word, in chunks of 64 KB; the floor is fetch + split + JSON.parse. Everybody has ${WARM_UP_MS} ms of CPU before the first row, then ${BUDGET_MS} ms in each of seven turns, two of them to warm up. Gemini sends each call whole: there a delta is a call, with an id, three events and a strict reading of its own. Targets: text at most ${TARGETS.text}, tool arguments ${TARGETS.tool}.`;

export async function measure() {
  const server = await startModelServer();
  const helpers = Object.fromEntries(
    SUBJECTS.map(({ name, script }) => [name, new Helper("./subject-process.mjs", [script])]),
  );
  for (const { name, apis } of SUBJECTS) {
    const url = server.url({ api: apis[0], kind: "text", count: DELTAS });
    await helpers[name].ask({ task: "stream", api: apis[0], url, budgetMs: WARM_UP_MS });
  }
  const rows = [];
  for (const api of APIS)
    for (const kind of ["text", "tool"]) {
      const url = server.url({ api, kind, count: DELTAS });
      const subjects = SUBJECTS.filter(({ apis }) => apis.includes(api));
      const streams = subjects.map(({ name }) => [
        name,
        async () => {
          const { cpuMs, characters } = await helpers[name].ask({
            task: "stream",
            api,
            url,
            budgetMs: BUDGET_MS,
          });
          if (characters < DELTAS && !(name !== "floor" && kind === "tool" && api.startsWith("google")))
            throw new Error(`${name} read ${characters} characters of ${api} ${kind}.`);
          return cpuMs;
        },
      ]);
      const costs = await inTurns(Object.fromEntries(streams), { rounds: 5, warmUps: 2 });
      const row = { API: api, kind: kind === "text" ? "text" : "tool arguments" };
      row["floor, µs"] = ((costs.floor * 1000) / DELTAS).toFixed(1);
      for (const { name } of SUBJECTS.slice(1)) row[name] = costs[name] ? (costs[name] / costs.floor).toFixed(2) : "–";
      row.target = TARGETS[kind] >= costs.Rondo / costs.floor ? "met" : "missed";
      rows.push(row);
      console.log(Object.values(row).join("  "));
    }
  for (const helper of Object.values(helpers)) helper.close();
  server.close();
  return rows;
}
