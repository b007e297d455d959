// What a slow consumer and many streams at once cost.
import { Helper, startModelServer } from "../measure.mjs";
import { SUBJECTS } from "../subjects.mjs";

const api = "openai-completions";
const STREAMS = 1_000;

export const title = "Memory";
export const note = `A consumer that reads one event and then nothing, while the server sends 64 MB; and ${STREAMS} streams of 50 deltas at once in one process. Growth of resident memory over the start.`;

export async function measure() {
  const server = await startModelServer();
  const rows = [];
  const stalled = new Helper("./stalled-process.mjs");
  const { megabytes } = await stalled.ask({
    api,
    url: server.url({ api, kind: "text", count: 200_000, pieceLength: 200 }),
  });
  stalled.close();
  rows.push({
    what: "stalled consumer, MB",
    subject: "Rondo",
    value: megabytes.toFixed(1),
    target: megabytes < 4 ? "met" : "missed",
  });
  for (const { name, script, apis } of SUBJECTS) {
    if (!apis.includes(api)) continue;
    const helper = new Helper("./subject-process.mjs", [script]);
    const url = server.url({ api, kind: "text", count: 50 });
    await helper.ask({ task: "concurrent", api, url, streams: 20 });
    const { cpuMs, megabytes: growth } = await helper.ask({ task: "concurrent", api, url, streams: STREAMS });
    helper.close();
    rows.push({
      what: `${STREAMS} streams, MB; CPU ms for each`,
      subject: name,
      value: `${growth.toFixed(0)}; ${(cpuMs / STREAMS).toFixed(2)}`,
      target: "",
    });
  }
  server.close();
  return rows;
}
