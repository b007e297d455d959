import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryOwnerLock } from "../../src/journal/owner-lock.ts";

const newPath = () => join(mkdtempSync(join(tmpdir(), "rondo-lock-")), "owner.lock");

test("a lock has one holder, even within a process, and is free again when released", () => {
  const path = newPath();
  const first = tryOwnerLock(path);
  expect(first).toBeDefined();
  expect(tryOwnerLock(path)).toBeUndefined();
  first?.release();
  const second = tryOwnerLock(path);
  expect(second).toBeDefined();
  second?.release();
});

test("a lock dies with its process", async () => {
  const path = newPath();
  const library = createRequire(import.meta.url).resolve("fs-native-extensions");
  const script = `
    const fd = require("node:fs").openSync(${JSON.stringify(path)}, "a");
    process.stdout.write(String(require(${JSON.stringify(library)}).tryLock(fd)));
    setTimeout(() => {}, 60_000);
  `;
  const holder = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  const [granted] = await once(holder.stdout, "data");
  expect(String(granted)).toBe("true");
  expect(tryOwnerLock(path)).toBeUndefined();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const lock = tryOwnerLock(path);
  expect(lock).toBeDefined();
  lock?.release();
});
