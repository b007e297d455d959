// A client of RPC mode: starts the command and gives its requests and events as methods and a listener. The public entry
// `rondo/rpc` of the package; knows the protocol and nothing of the command's inside.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ImageContent } from "@rondo/ai";
import { LineReader } from "./line-reader.ts";
import type { RpcCommand, RpcCommands, RpcEvent, RpcLine, RpcPermissionAnswer } from "./protocol.ts";

export type * from "./protocol.ts";

type PermissionQuestion = Extract<RpcLine, { type: "permission_question" }>;

/** How the command is started, and who listens. */
export interface RpcClientOptions {
  /** Program and its first arguments. Default: `rondo` on the path. */
  command?: readonly string[];
  /** Flags, such as `--model`. `--mode rpc` is added. */
  args?: readonly string[];
  /** The workspace. Default: the current folder. */
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Gets each event of a run. */
  onEvent?: (event: RpcEvent) => void;
  /** Answers permission questions. Default: no. */
  onPermissionQuestion?: (
    question: PermissionQuestion,
  ) => boolean | RpcPermissionAnswer | Promise<boolean | RpcPermissionAnswer>;
}

interface Waiting {
  resolve: (data: unknown) => void;
  reject: (error: Error) => void;
}

/** A running command. */
export class RpcClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #options: RpcClientOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #runEnds: ((event: Extract<RpcEvent, { type: "agent_end" }>) => void)[] = [];
  readonly #closed: Promise<number | null>;
  #requests = 0;
  #errorText = "";
  #isClosed = false;

  constructor(options: RpcClientOptions = {}) {
    this.#options = options;
    const [program = "rondo", ...first] = options.command ?? ["rondo"];
    this.#child = spawn(program, [...first, "--mode", "rpc", ...(options.args ?? [])], {
      stdio: ["pipe", "pipe", "pipe"],
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(options.env !== undefined && { env: options.env }),
    });
    const reader = new LineReader(
      (line) => this.#take(JSON.parse(line) as RpcLine),
      () => this.#fail("The server sent a line that is too long."),
    );
    this.#child.stdout.on("data", (bytes: Buffer) => reader.write(bytes));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-2000);
    });
    this.#child.stdin.on("error", () => {});
    this.#closed = new Promise((resolve) => {
      this.#child.once("error", (error) => this.#fail(`The command did not start: ${error.message}`));
      this.#child.once("close", (code) => {
        reader.end();
        this.#fail(`The command has ended (exit code ${code}). ${this.#errorText.trim()}`);
        resolve(code);
      });
    });
  }

  /** Sends a request. Rejects with the server's own words if it is refused, or if the command ends before it answers. */
  request<C extends RpcCommand>(type: C, fields: RpcCommands[C]["request"]): Promise<RpcCommands[C]["data"]> {
    if (this.#isClosed) return Promise.reject(new Error("The command has ended."));
    const id = `${++this.#requests}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (data) => resolve(data as RpcCommands[C]["data"]), reject });
      this.#child.stdin.write(`${JSON.stringify({ id, type, ...fields })}\n`);
    });
  }

  /** Runs a prompt to its end. Rejects if it is not accepted, or if the command ends during the run. */
  async run(message: string, images: ImageContent[] = []): Promise<Extract<RpcEvent, { type: "agent_end" }>> {
    const end = new Promise<Extract<RpcEvent, { type: "agent_end" }>>((resolve, reject) => {
      this.#runEnds.push(resolve);
      void this.#closed.then(() => reject(new Error(`The command ended during the run. ${this.#errorText.trim()}`)));
    });
    end.catch(() => {});
    await this.request("prompt", { message, images });
    return end;
  }

  /** Ends the input and waits for the command to end. A run under way is finished first. */
  close(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#closed;
  }

  #take(line: RpcLine): void {
    if (line.type === "response") {
      const waiting = this.#waiting.get(line.id ?? "");
      this.#waiting.delete(line.id ?? "");
      if (line.ok) waiting?.resolve(line.data);
      else waiting?.reject(new Error(line.error));
    } else if (line.type === "event") {
      this.#options.onEvent?.(line.event);
      if (line.event.type === "agent_end") for (const resolve of this.#runEnds.splice(0)) resolve(line.event);
    } else if (line.type === "permission_question") void this.#answerQuestion(line);
  }

  async #answerQuestion(question: PermissionQuestion): Promise<void> {
    let answer: boolean | RpcPermissionAnswer = false;
    try {
      answer = (await this.#options.onPermissionQuestion?.(question)) ?? false;
    } finally {
      const fields = typeof answer === "boolean" ? { allow: answer } : answer;
      await this.request("permission_answer", { questionId: question.questionId, ...fields }).catch(() => {});
    }
  }

  #fail(message: string): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}
