import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCredentialStore } from "@rondo/ai/node";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const KEY = "key-0123456789-abcdefgh";
let folder: string;
let next = 0;
const newPath = (): string => join(folder, `case-${next++}`, "credentials.json");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-credentials-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("createCredentialStore", () => {
  test("keeps keys, lists their providers, forgets them", async () => {
    const path = newPath();
    const store = createCredentialStore(path);
    expect([await store.get("openai"), await store.list(), await store.delete("openai")]).toEqual([
      undefined,
      [],
      false,
    ]);
    await store.set("openai", ` ${KEY}\n`);
    await store.set("anthropic", "a");
    await store.set("anthropic", "b");
    const again = createCredentialStore(path);
    expect(await again.list()).toEqual(["anthropic", "openai"]);
    expect([await again.get("openai"), await again.get("anthropic")]).toEqual([KEY, "b"]);
    expect([await again.delete("openai"), await again.delete("openai")]).toEqual([true, false]);
    expect(await store.list()).toEqual(["anthropic"]);
  });

  test.skipIf(process.platform === "win32")("only the owner can read the file and its folder", async () => {
    const path = newPath();
    const store = createCredentialStore(path);
    await store.set("openai", KEY);
    expect([(await stat(path)).mode & 0o777, (await stat(join(path, ".."))).mode & 0o777]).toEqual([0o600, 0o700]);
    await store.set("openai", "other");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("a write leaves nothing else behind", async () => {
    const path = newPath();
    await createCredentialStore(path).set("openai", KEY);
    expect(await readdir(join(path, ".."))).toEqual(["credentials.json"]);
  });

  test("names of providers that objects have of their own are ordinary", async () => {
    const store = createCredentialStore(newPath());
    expect(await store.get("constructor")).toBeUndefined();
    await store.set("__proto__", "x");
    await store.set("constructor", "y");
    expect(await store.list()).toEqual(["__proto__", "constructor"]);
    expect(await store.get("__proto__")).toBe("x");
  });

  test.each([
    ["half a file", `{"version":1,"keys":{"openai":"${KEY}`],
    ["another form", `{"version":2,"keys":{"openai":"${KEY}"}}`],
    ["a list", "[]"],
    ["null", "null"],
    ["nothing", ""],
  ])("%s is an error without a key in it, and stays as it is", async (_name, text) => {
    const path = join(folder, `damaged-${next++}.json`);
    await writeFile(path, text);
    const store = createCredentialStore(path);
    const attempts = [
      () => store.get("openai"),
      () => store.list(),
      () => store.set("openai", "new"),
      () => store.delete("openai"),
    ];
    for (const attempt of attempts) {
      const error = await (attempt() as Promise<unknown>).then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
      expect(error?.message).toContain(path);
      expect(`${error?.message}${error?.stack}${JSON.stringify(error)}`).not.toContain(KEY.slice(0, 8));
    }
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test("an empty key is refused", async () => {
    await expect(createCredentialStore(newPath()).set("openai", " \n")).rejects.toThrow("The key for openai is empty.");
  });

  test("a lock that a dead process left behind is taken over", async () => {
    const path = newPath();
    const store = createCredentialStore(path);
    await store.set("openai", "one");
    await writeFile(`${path}.lock`, "somebody");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${path}.lock`, longAgo, longAgo);
    await Promise.all([store.set("openai", "two"), store.set("google", "three")]);
    expect(await store.list()).toEqual(["google", "openai"]);
    expect(await readdir(join(path, ".."))).toEqual(["credentials.json"]);
  });

  test("two processes that write at once lose nothing, and a reader never sees half a file", async () => {
    const path = newPath();
    const module = join(folder, "store.mjs");
    await build({
      input: fileURLToPath(new URL("../../../src/providers/node/credential-store.ts", import.meta.url)),
      platform: "node",
      output: { file: module },
      logLevel: "silent",
    });
    const script = `
      const { createCredentialStore } = await import(${JSON.stringify(module)});
      const store = createCredentialStore(${JSON.stringify(path)});
      const [name] = process.argv.slice(1);
      for (let index = 0; index < 25; index++) {
        await store.set(name + index, "key-" + name + index);
        if (index % 5 === 4) await store.delete(name + index);
      }`;
    const run = (name: string): Promise<number | null> =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", script, name], { stdio: "inherit" });
        child.on("error", reject);
        child.on("exit", resolve);
      });
    const reader = createCredentialStore(path);
    let running = true;
    const reading = (async () => {
      let longest = 0;
      while (running) longest = Math.max(longest, (await reader.list()).length);
      return longest;
    })();
    const codes = await Promise.all([run("left"), run("right")]);
    running = false;
    expect([codes, (await reading) > 0]).toEqual([[0, 0], true]);
    const kept = ["left", "right"].flatMap((name) =>
      [...Array(25).keys()].filter((index) => index % 5 !== 4).map((index) => name + index),
    );
    expect(await reader.list()).toEqual(kept.sort());
    for (const name of kept) expect(await reader.get(name)).toBe(`key-${name}`);
  });
});
