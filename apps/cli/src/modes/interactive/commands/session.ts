// /new, /resume, /tree, /fork, /name, /compact: which conversation this is, and where in it we are.
import type { AgentMessage } from "@rondo/agent";
import { countOf, firstOf } from "../../../presentation/count-of.ts";
import { localMinute } from "../../../presentation/local-time.ts";
import { writtenText } from "../../../session/message-text.ts";
import { cleanForScreen, withoutControls } from "../../../terminal/escape.ts";
import type { App } from "../app.ts";
import { personText } from "../blocks/person.ts";
import type { Command } from "./table.ts";

const TITLE_CHARACTERS_MAX = 80;
/** More takes seconds to draw, and nobody scrolls so far. */
const MESSAGES_SHOWN_MAX = 500;

export const newCommand: Command = {
  name: "new",
  aliases: ["clear", "reset"],
  description: "Begin another conversation",
  async run(app) {
    await stopTalk(app);
    await app.session.startNew();
    app.footer.measure();
    app.conversation.notice("note", "A new conversation.");
  },
};

export const resumeCommand: Command = {
  name: "resume",
  aliases: ["sessions"],
  description: "Take up an earlier conversation",
  async run(app) {
    const { session, workbench, conversation } = app;
    const sessions = await session.list();
    if (sessions.length === 0) return conversation.notice("note", "There is no earlier conversation in this folder.");
    const items = sessions.map(({ id, title, changedAt, messageCount }) => ({
      value: id,
      label: oneLine(title),
      description: `${localMinute(changedAt)} · ${countOf(messageCount, "message")}`,
    }));
    const chosen = await workbench.pick("Resume", items);
    if (chosen === undefined) return;
    await stopTalk(app);
    await session.open(chosen);
    showSession(app);
  },
};

export const treeCommand: Command = {
  name: "tree",
  description: "Go back to something you said",
  async run(app) {
    const { session, workbench, conversation } = app;
    const entries = await session.tree();
    if (entries.length === 0) return conversation.notice("note", "Nothing has been said yet.");
    const items = entries.map(({ id, text, depth, isCurrent }) => ({
      value: id,
      label: `${"  ".repeat(depth)}${isCurrent ? "●" : "○"} ${oneLine(text)}`,
    }));
    const chosen = await workbench.pick("Go back to before", items, entries.at(-1)?.id);
    if (chosen === undefined) return;
    await stopTalk(app);
    const text = await session.goBack(chosen);
    app.footer.measure();
    workbench.editor.putBack(text);
    conversation.notice("note", "Back to before that. It stands in the editor, to be said otherwise.");
  },
};

export const forkCommand: Command = {
  name: "fork",
  description: "Go on in a copy of this conversation",
  async run(app) {
    await stopTalk(app);
    await app.session.fork();
    app.conversation.notice("note", "This is a copy now; the conversation before stays as it was.");
  },
};

export const nameCommand: Command = {
  name: "name",
  description: "Give this conversation a name",
  argumentHint: "<name>",
  async run({ session, conversation }, argument) {
    if (argument === "")
      return conversation.notice("note", `Its name: ${session.name ?? "none. /name <name> gives one"}.`);
    await session.rename(argument);
    conversation.notice("note", `Its name is ${argument} now.`);
  },
};

export const compactCommand: Command = {
  name: "compact",
  description: "Put notes in the place of what was said long ago",
  argumentHint: "[what to keep]",
  async run(app, argument) {
    const { session, conversation } = app;
    await app.runErrand("Writing notes… Escape stops", async (signal) => {
      try {
        const outcome = await session.compact(argument, signal);
        app.footer.measure();
        conversation.notice("note", outcome);
      } catch (error) {
        if (!signal.aborted) throw error;
        conversation.notice("warning", "Stopped. The conversation is as it was.");
      }
    });
  },
};

/** Before the conversation goes elsewhere: what is queued was meant for where it was, and is the person's again. */
async function stopTalk({ talk, session }: App): Promise<void> {
  talk.stop();
  await session.agent.waitForIdle();
}

/** Shows the session that is on now: of a long one the end. */
export function showSession(app: App): void {
  const { messages } = app.session;
  const from = firstShown(messages);
  if (from > 0)
    app.conversation.notice(
      "note",
      `Not on the screen: the ${firstOf(from, "message")}. rondo export shows everything.`,
    );
  const shown = messages.slice(from);
  app.conversation.replay(shown);
  for (const message of shown)
    if (message.role === "user") app.workbench.editor.addToHistory(withoutControls(writtenText(personText(message))));
  app.footer.measure();
}

/** Index of the message that the screen begins with: something that the person said, if there is such among the last ones. */
export function firstShown(messages: AgentMessage[]): number {
  const earliest = Math.max(0, messages.length - MESSAGES_SHOWN_MAX);
  if (earliest === 0) return 0;
  const said = messages.findIndex(({ role }, index) => index >= earliest && role === "user");
  return said === -1 ? earliest : said;
}

/** A text as one line of a list. */
export function oneLine(text: string): string {
  const line = cleanForScreen(text.slice(0, 4 * TITLE_CHARACTERS_MAX))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > TITLE_CHARACTERS_MAX ? `${line.slice(0, TITLE_CHARACTERS_MAX)}…` : line;
}
