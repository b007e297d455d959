// Is the owner again and again, and takes the lock's file away each time. Fails if somebody else is the owner as well.
import { rmSync, writeFileSync } from "node:fs";
import { tryOwnerLock } from "../../src/journal/owner-lock.ts";

const [, , path = "", turnsWanted] = process.argv;
const mark = `${path}.mark`;
for (let turns = 0; turns < Number(turnsWanted); ) {
  const lock = tryOwnerLock(path);
  if (!lock) continue;
  writeFileSync(mark, "", { flag: "wx" });
  rmSync(mark);
  turns++;
  lock.remove();
}
