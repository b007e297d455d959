// Runs one program and reports the CPU time of its whole life. A process of its own, since the kernel adds up the children of each.
import { spawnSync } from "node:child_process";

const [command, ...args] = JSON.parse(process.argv[2]);
const shell = `"$@" >/dev/null 2>&1 </dev/null; times`;
const { stdout } = spawnSync("bash", ["-c", shell, "bash", command, ...args], { encoding: "utf8" });
const [user, system] = stdout.trim().split("\n").at(-1).split(" ").map(milliseconds);
process.send(user + system);

/** `1m2.345s` → 62345 */
function milliseconds(text) {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(text);
  return Number(minutes) * 60_000 + Number(seconds) * 1000;
}
