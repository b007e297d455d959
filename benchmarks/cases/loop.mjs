// The agent loop with a scripted model: what a turn, a parallel tool and a listener cost.
import { Helper } from "../measure.mjs";

export const title = "The loop, with a scripted model";
export const note = "CPU time; the model answers at once, each turn calls one tool that does nothing.";

export async function measure() {
  const helper = new Helper("./work-process.mjs");
  const cpu = async (work, size) => (await helper.ask({ work, size })).cpuMs;
  await cpu("turns", 500);
  const turns = await cpu("turns", 2_000);
  const tools = await cpu("parallel tools", 50);
  const [without, withTen] = [await cpu("listeners", 0), await cpu("listeners", 10)];
  helper.close();
  const eventsPerTurn = 10;
  const listenerUs = (Math.max(0, withTen - without) * 1000) / (10 * 200 * eventsPerTurn);
  return [
    { what: "turns per second of CPU, one tool each", value: Math.round(2_000 / (turns / 1000)) },
    { what: "50 parallel tools in one turn, ms", value: tools.toFixed(2) },
    { what: "one listener, µs for each event", value: listenerUs.toFixed(2) },
  ];
}
