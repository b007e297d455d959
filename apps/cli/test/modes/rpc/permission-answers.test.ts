// Answers to permission questions through RPC: once, for the session, for the project, or no with a reason.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RpcPermissionAnswer } from "../../../src/modes/rpc/protocol.ts";
import { rondo } from "../../command.ts";
import { connect, startBare } from "./connect.ts";

/** A client that gives one answer to all questions, and counts them. */
async function answering(answer: RpcPermissionAnswer, place: { cwd?: string; env?: Record<string, string> } = {}) {
  const asked: string[] = [];
  const connection = await connect({
    ...place,
    onPermissionQuestion: ({ suggestions }) => {
      asked.push(suggestions.join(" and "));
      return answer;
    },
  });
  return { ...connection, asked };
}

test("once is for one call", async () => {
  const { client, asked } = await answering({ allow: true });
  await client.run("run echo one");
  await client.run("run echo one");
  expect(asked).toEqual(["bash(echo one)", "bash(echo one)"]);
});

test("for the session holds until it ends, and for that call alone", async () => {
  const { client, asked, cwd, env } = await answering({ allow: true, remember: "session" });
  for (const command of ["echo one", "echo one", "echo one two"]) await client.run(`run ${command}`);
  expect(asked).toEqual(["bash(echo one)", "bash(echo one two)"]);
  await client.close();
  const next = await answering({ allow: false }, { cwd, env });
  await next.client.run("run echo one");
  expect(next.asked).toEqual(["bash(echo one)"]);
});

test("for the project holds in this folder from then on, and is kept with the person's own settings", async () => {
  const { client, asked, cwd, env, home } = await answering({ allow: true, remember: "project" });
  await client.run("run echo one");
  await client.run("run echo two");
  await client.close();
  const file = join(home, ".config/rondo/permissions.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ [cwd]: ["bash(echo one)", "bash(echo two)"] });
  expect([asked.length, readdirSync(cwd)]).toEqual([2, ["note.txt"]]);
  const again = await answering({ allow: false }, { cwd, env });
  await again.client.run("run echo two");
  expect(again.asked).toEqual([]);
  const elsewhere = await rondo(["run echo one", "--model", "demo"], { env: { HOME: home } });
  expect(elsewhere.code).toBe(5);
});

test("a rule that forbids wins over what was remembered", async () => {
  const { client, cwd, env } = await answering({ allow: true, remember: "project" });
  await client.run("run echo one");
  await client.close();
  const denied = await rondo(["run echo one", "--model", "demo", "--deny", "bash(echo:*)"], { cwd, env });
  expect(denied.code).toBe(5);
});

test("a no has a reason, which the model reads", async () => {
  const { client, cwd } = await answering({ allow: false, reason: "not on a Monday" });
  await client.run("run touch made");
  const { messages } = await client.request("get_messages", {});
  expect(JSON.stringify(messages)).toContain("because the person said no: not on a Monday.");
  expect(existsSync(join(cwd, "made"))).toBe(false);
});

test("what no rule can stand for is not remembered: the answer is refused and the question stays open", async () => {
  const { send, line, child, ended } = await startBare();
  send({ id: "1", type: "prompt", message: "run echo one > made" });
  const { questionId, suggestions } = await line(({ type }) => type === "permission_question");
  expect(suggestions).toEqual([]);
  send({ id: "2", type: "permission_answer", questionId, allow: true, remember: "session" });
  expect(await line(({ id }) => id === "2")).toMatchObject({
    ok: false,
    error: "No rule matches this call alone, so it can be allowed once but not remembered.",
  });
  send({ id: "3", type: "permission_answer", questionId, allow: true });
  expect(await line(({ id }) => id === "3")).toMatchObject({ ok: true, data: { taken: true } });
  await line(({ event }) => event?.type === "agent_end");
  child.stdin.end();
  expect((await ended).code).toBe(0);
});

test("a damaged file of remembered rules is told and left as it is", async () => {
  const { home } = await connect();
  const config = join(home, "config");
  const file = join(config, "permissions.json");
  mkdirSync(config);
  for (const content of ["{", "[]", '{"/a":"edit"}']) {
    writeFileSync(file, content);
    const end = await rondo(["hi", "--model", "demo"], { env: { RONDO_CONFIG: config } });
    expect([end.code, end.stderr]).toEqual([
      2,
      `rondo: ${file} should hold an object of lists of rules by folder. Mend or remove it.\n`,
    ]);
    expect(readFileSync(file, "utf8")).toBe(content);
  }
});
