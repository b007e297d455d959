// ACP mode as the command starts it: on the process's own standard input and output, with the settings of each session's folder.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { Writable } from "node:stream";
import { type Ending, UsageError } from "../../exit-codes.ts";
import type { CommandLine } from "../../flags/parse.ts";
import { usableModels } from "../../models/usable-models.ts";
import { createSession } from "../../session/create-session.ts";
import { sessionFolder } from "../../session/session-folder.ts";
import { SessionShelf } from "../../session/session-shelf.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { type Interruption, watchSignals } from "../../session/watch-signals.ts";
import { dataFolder } from "../../settings/data-folder.ts";
import { readSettings } from "../../settings/read-settings.ts";
import type { Output } from "../../terminal/output.ts";
import type { AcpSession } from "./acp-session.ts";
import { serveAcp } from "./server.ts";

/** Serves an editor until it leaves. What the person should know goes to standard error, which editors keep in a log. */
export async function startAcp(
  commandLine: CommandLine,
  interruption: AbortController,
  progress: Output,
): Promise<Ending> {
  const notice = (text: string) => void progress.write(`rondo: ${progress.escape(text)}\n`);
  const home = process.env["HOME"] || homedir();
  const data = dataFolder(process.env, home);
  const sessions = new Map<string, AcpSession>();
  const stopWatching = watchSignals(interruption, {
    close: () => {
      for (const session of sessions.values()) session.close();
    },
  });
  try {
    await serveAcp(
      {
        input: process.stdin,
        output: outputAsNow(process.stdout),
        signal: interruption.signal,
        list: (root) => new SessionShelf(sessionFolder(data, root), root, true).list(),
        open: async ({ root, mcpServers, sessionId }, askPerson) => {
          if (!isAbsolute(root)) throw new UsageError(`The folder ${root} is no absolute path.`);
          let store: SessionStore | undefined;
          const openStore = (shelf: SessionShelf) => {
            store = sessionId === undefined ? shelf.begin() : shelf.open(sessionId);
            return store;
          };
          try {
            const settings = await readSettings(commandLine, process, { root, mcpServers, openStore });
            const session = await createSession(settings, askPerson);
            session.keeper.onNotice = notice;
            for (const text of [...settings.notices, ...session.notices, ...session.keeper.notices]) notice(text);
            const models = await usableModels(settings.sources);
            return { session, commands: settings.commands, models, place: { root, home } };
          } catch (error) {
            // This process goes on, and whoever mends what was wrong opens the session again.
            store?.close();
            throw error;
          }
        },
      },
      sessions,
    );
    return interruption.signal.aborted ? (interruption.signal.reason as Interruption) : "done";
  } finally {
    stopWatching();
  }
}

/** Goes where standard output goes now: what others write later may go elsewhere. */
function outputAsNow(stdout: NodeJS.WriteStream): Writable {
  const write = stdout.write.bind(stdout);
  return new Writable({ write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done) });
}
