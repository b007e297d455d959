// Interactive mode as the command starts it: on the process's own terminal, with a session that is kept.
import type { Ending } from "../../exit-codes.ts";
import { assemblePrompt } from "../../prompt/assemble-prompt.ts";
import { createSession, type SessionSettings } from "../../session/create-session.ts";
import { watchSignals } from "../../session/watch-signals.ts";
import { runInteractive } from "./index.ts";
import { KeptSession } from "./kept-session.ts";
import { PermissionAsker } from "./permission-asker.ts";

/** Runs until the person leaves. `words` are the first prompt, if there are any. */
export async function startInteractive(
  words: string[],
  settings: SessionSettings,
  interruption: AbortController,
): Promise<Ending> {
  const { root, home, env, rules, selection } = settings;
  const prompt = words.length > 0 ? await assemblePrompt(words, undefined, settings) : undefined;
  const asker = new PermissionAsker();
  const session = await createSession(settings, asker.ask);
  const stopWatching = watchSignals(interruption, session);
  try {
    return await runInteractive({
      session: new KeptSession(session.keeper, root, rules),
      asker,
      home,
      env,
      input: process.stdin,
      output: process.stdout,
      signal: interruption.signal,
      greeting: [
        ...(selection.reason === undefined ? [] : [`Using ${selection.reason}`]),
        ...settings.notices,
        ...session.notices,
        ...session.keeper.notices,
      ].join("\n"),
      ...(prompt && { prompt }),
    });
  } finally {
    stopWatching();
    session.close();
  }
}
