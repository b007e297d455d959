// One library in a process of its own. Streams answers when asked, and tells what each cost.
import { cpuOf } from "./measure.mjs";

const subject = await import(process.argv[2]);

const TASKS = {
  /** CPU of one answer, read to its end: the mean of as many as `budgetMs` of CPU allow, at least one. */
  async stream({ api, url, budgetMs }) {
    let characters = 0;
    let spentMs = 0;
    let answers = 0;
    for (; answers === 0 || spentMs < budgetMs; answers++)
      spentMs += await cpuOf(async () => {
        characters = await subject.streamAnswer({ api, url });
      });
    return { cpuMs: spentMs / answers, characters };
  },
  /** CPU and memory of many answers at once. */
  async concurrent({ api, url, streams }) {
    globalThis.gc();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const cpuMs = await cpuOf(() =>
      Promise.all(Array.from({ length: streams }, () => subject.streamAnswer({ api, url }))),
    );
    clearInterval(watch);
    return { cpuMs, megabytes: (peak - before) / 2 ** 20 };
  },
};

process.on("message", async ({ task, ...question }) => {
  try {
    process.send(await TASKS[task](question));
  } catch (error) {
    process.send({ error: `${process.argv[2]} ${question.api}: ${error?.stack ?? JSON.stringify(error)}` });
  }
});
