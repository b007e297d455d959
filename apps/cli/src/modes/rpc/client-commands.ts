// Commands that the client itself runs, with the tool that the model has. Nobody is asked: who drives rondo could run them anyway.
// The model does not hear of them. They run beside everything else, until an abort.
import type { Agent } from "@rondo/agent";
import { resultText } from "../../presentation/describe-call.ts";
import type { CommandDetails } from "../../tools/bash.ts";
import type { RpcCommands } from "./protocol.ts";

/** The client's commands of one session. */
export class ClientCommands {
  readonly #agent: Agent;
  readonly #running = new Set<AbortController>();

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** Runs a command to its end. Rejects if it cannot start or is aborted. */
  async run({ command, timeout }: RpcCommands["bash"]["request"]): Promise<RpcCommands["bash"]["data"]> {
    const tool = this.#agent.state.tools.find(({ name }) => name === "bash");
    if (!tool) throw new Error("There is no tool for commands in this session.");
    const abort = new AbortController();
    this.#running.add(abort);
    try {
      const args = { command, ...(timeout !== undefined && { timeout }) };
      const result = await tool.execute("client", args, abort.signal);
      const { exitCode, timedOut, outputFile } = result.details as CommandDetails;
      return {
        output: resultText(result),
        timedOut,
        ...(exitCode !== undefined && { exitCode }),
        ...(outputFile !== undefined && { outputFile }),
      };
    } finally {
      this.#running.delete(abort);
    }
  }

  /** Stops all that run. Whether there were any. */
  stop(): boolean {
    const isAny = this.#running.size > 0;
    for (const abort of this.#running) abort.abort();
    return isAny;
  }
}
