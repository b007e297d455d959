// Whatever standard input is, a prompt on the command line is answered; and a run that is over is over.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { replayScript } from "@rondo/test-fixtures";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine } from "./command.ts";
import { serve, text, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

type Input = "pipe" | "ignore" | number | Socket;

async function run(input: Input, args: string[]): Promise<{ code: number | null; stdout: string }> {
  const [program = "", ...first] = await commandLine();
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: home };
  const child: ChildProcess = spawn(program, [...first, ...args], { cwd: home, env, stdio: [input, "pipe", "ignore"] });
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    stdout += part;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout })));
}

const ASK = ["-p", "repeat: hi", "--model", "demo"];

describe("a prompt is answered with standard input", () => {
  test("from /dev/null", async () => {
    expect(await run("ignore", ASK)).toEqual({ code: 0, stdout: "hi\n" });
  });

  test("from an open pipe", async () => {
    expect(await run("pipe", ASK)).toEqual({ code: 0, stdout: "hi\n" });
  });

  test("from a file", async () => {
    const file = join(temporaryFolder(), "input");
    writeFileSync(file, "from a file\n");
    const descriptor = openSync(file, "r");
    onTestFinished(() => closeSync(descriptor));
    const end = await run(descriptor, ["-p", "repeat what you get", "--model", "demo"]);
    expect(end).toEqual({ code: 0, stdout: "from a file\n" });
  });

  test("from a socket that says nothing", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await accepted;
    expect(await run(socket, ASK)).toEqual({ code: 0, stdout: "hi\n" });
  });

  test("that is closed", async () => {
    const [program = "", ...first] = await commandLine();
    const script = `exec "$@" <&-`;
    const home = temporaryFolder();
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const child = spawn("bash", ["-c", script, "bash", program, ...first, ...ASK], { env, cwd: home });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      stdout += part;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, stdout]).toEqual([0, "hi\n"]);
  });
});

test("a run ends by itself although the server keeps the connection, and not before an attempt is repeated", async () => {
  const answer = replayScript(() => text("at last"));
  let asked = 0;
  const server = await serve((request) => (++asked === 1 ? { status: 503, body: "busy" } : answer(request)));
  const end = await run("ignore", ["-p", "hi", ...through(server.url)]);
  // The server is still there: only its keep-alive connection could hold the command up.
  expect([end, asked]).toEqual([{ code: 0, stdout: "at last\n" }, 2]);
});
