// Looks for processes that a test left running. Sees them on Linux only, where /proc tells their environment.
import { readdirSync, readFileSync } from "node:fs";

/** Ids of the living processes that were started in a folder; none on other systems than Linux. */
export function processesIn(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${Number(pid)}/environ`, "latin1");
      const isDead = /^State:\s+Z/m.test(readFileSync(`/proc/${Number(pid)}/status`, "latin1"));
      return environment.split("\0").includes(`PWD=${folder}`) && !isDead;
    } catch {
      return false;
    }
  });
}
