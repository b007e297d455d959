import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundleChild } from "../../../../tools/bundle-child.ts";
import { tryOwnerLock } from "../../src/journal/owner-lock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const newPath = () => join(temporaryFolder(), "owner.lock");

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

test("an owner may take the file away; nobody else gets the lock before, and the next one makes a file of its own", () => {
  const path = newPath();
  const first = tryOwnerLock(path);
  expect(tryOwnerLock(path)).toBeUndefined();
  first?.remove();
  expect(existsSync(path)).toBe(false);
  const second = tryOwnerLock(path);
  expect([second === undefined, existsSync(path), tryOwnerLock(path)]).toEqual([false, true, undefined]);
  second?.remove();
});

test.skipIf(process.platform !== "linux")("an owner that takes the file away has it open no longer", () => {
  const path = newPath();
  const held = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
      } catch {
        return false; // Closed meanwhile.
      }
    }).length;
  const lock = tryOwnerLock(path);
  expect(held()).toBe(1);
  lock?.remove();
  expect(held()).toBe(0);
});

test("owners that take the file away are never two at a time", async () => {
  const here = fileURLToPath(new URL("..", import.meta.url));
  const script = await bundleChild(join(here, ".."), join(here, "journal/owner-child.ts"));
  const path = newPath();
  const owners = Array.from({ length: 3 }, () => spawn(process.execPath, [script, path, "300"], { stdio: "inherit" }));
  const codes = await Promise.all(owners.map(async (owner) => (await once(owner, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0]);
});
