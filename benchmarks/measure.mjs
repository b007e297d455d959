// How things are measured: CPU time (user and system) rather than the clock, since machines are shared; everything that is compared
// takes turns in one run; medians.
import { fork, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Node 20 reads this file at every start, which hides what the program itself costs. */
const { NODE_EXTRA_CA_CERTS: _certificates, ...environment } = process.env;
export const env = environment;

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The slope of log(cost) over log(size), by least squares: 1 is linear, 2 quadratic. */
export function growthExponent(points) {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)]);
  const mean = (index) => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [meanSize, meanCost] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [size, cost]) => sum + (size - meanSize) * (cost - meanCost), 0);
  return covariance / logs.reduce((sum, [size]) => sum + (size - meanSize) ** 2, 0);
}

/** CPU milliseconds of this process while `work` runs. */
export async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU milliseconds of a program from start to end, as the kernel counted them. */
export function cpuOfProgram(args, options = {}) {
  const program = [process.execPath, ...args];
  return new Promise((resolve, reject) => {
    const child = fork(path("./program-cpu.mjs"), [JSON.stringify(program)], { env: { ...env, ...options.env } });
    child.once("message", resolve);
    child.once("error", reject);
  });
}

/** Runs each of the named measurements in turn, `rounds` times over, and gives the medians. `warmUps` rounds are not counted. */
export async function inTurns(measurements, { rounds, warmUps = 0 }) {
  const taken = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round++)
    for (const [name, measure] of Object.entries(measurements)) {
      const value = await measure();
      if (round >= 0) taken[name].push(value);
    }
  return Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)]));
}

/** A process that answers one question at a time. */
export class Helper {
  #child;

  constructor(script, args = []) {
    this.#child = fork(path(script), args, {
      env,
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  ask(question) {
    return new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`The process ended with code ${code}.`));
      this.#child.once("exit", ended);
      this.#child.once("message", (answer) => {
        this.#child.off("exit", ended);
        answer.error ? reject(new Error(answer.error)) : resolve(answer);
      });
      this.#child.send(question);
    });
  }

  close() {
    this.#child.kill();
  }
}

/** Starts the model server. `url(settings)` is a base URL under which every request is answered as the settings say. */
export async function startModelServer() {
  const child = spawn(process.execPath, [path("./model-server.mjs")], {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { port } = await new Promise((resolve) => child.once("message", resolve));
  return {
    url: (settings) => `http://127.0.0.1:${port}/${Buffer.from(JSON.stringify(settings)).toString("base64url")}`,
    /** Resolves when the next request is in, with its time in milliseconds since 1970. */
    nextRequest: () => new Promise((resolve) => child.once("message", ({ requestAt }) => resolve(requestAt))),
    close: () => child.kill(),
  };
}
