// What the keys of the command do.
import { getKeybindings, isKeyRelease } from "@earendil-works/pi-tui";
import { writtenText } from "../../session/message-text.ts";
import type { App } from "./app.ts";
import { personText } from "./blocks/person.ts";
import { runGuarded } from "./commands/index.ts";
import { modelCommand, nextThinkingLevel } from "./commands/model.ts";
import { oneLine, treeCommand } from "./commands/session.ts";
import { editExternally, externalEditor } from "./editor/external-editor.ts";
import { pasteImage } from "./editor/paste-image.ts";

/** What keys can ask for that is not the app's own. */
export interface KeyEffects {
  submitLater(): void;
  suspend(): void;
  /** Says what one can do when nothing is going on; with `leaves`, that the key that clears leaves now. */
  showHint(leaves: boolean): void;
  /** Waits for so many milliseconds. */
  pause(milliseconds: number): Promise<unknown>;
  /** Stops what the person has started besides the agent. Whether there was anything. */
  stopErrands(): boolean;
  /** Whether there is such. */
  hasErrands(): boolean;
}

/** For so long the key that clears leaves if it is pressed again. Whoever presses it later means what it does first. */
export const AGAIN_MS = 3000;

/** Connects the keys. */
export function connectKeys(app: App, effects: KeyEffects): void {
  const { screen, workbench, view, talk } = app;
  const { editor } = workbench;
  /** The key that was pressed last, of those that mean more the second time. */
  let armed: "escape" | "clear" | undefined;
  let clearings = 0;

  const armLeaving = () => {
    armed = "clear";
    effects.showHint(true);
    const clearing = ++clearings;
    void effects.pause(AGAIN_MS).then(() => {
      if (armed !== "clear" || clearing !== clearings) return;
      armed = undefined;
      effects.showHint(false);
    });
  };

  screen.addInputListener((data) => {
    if (isKeyRelease(data)) return undefined;
    const keys = getKeybindings();
    const before = armed;
    armed = undefined;
    if (before === "clear") effects.showHint(false);
    if (keys.matches(data, "rondo.clear") && !workbench.isAsking) {
      if (before === "clear") app.leave();
      else if (clearOrStop(app, effects)) armLeaving();
      screen.requestRender();
      return { consume: true };
    }
    if (keys.matches(data, "tui.editor.cursorUp") && isIdle(app) && talk.takeBack()) return { consume: true };
    if (!keys.matches(data, "rondo.abort")) return undefined;
    const stopped = effects.stopErrands() || talk.isWorking;
    if (talk.isWorking) talk.stop();
    if (stopped) workbench.cancelDialogs();
    if (stopped) armed = "escape";
    if (stopped || workbench.isAsking || editor.isShowingAutocomplete()) return stopped ? { consume: true } : undefined;
    if (before === "escape") void runGuarded(app, () => treeCommand.run(app, ""));
    else armed = "escape";
    return { consume: true };
  });

  editor.connect({
    "rondo.clear": () => false,
    "rondo.leave": () => (editor.isEmpty ? done(app.leave()) : false),
    "rondo.suspend": () => done(effects.suspend()),
    "rondo.followUp": () => done(effects.submitLater()),
    "rondo.takeBack": () => done(talk.takeBack()),
    "rondo.history": () => done(runGuarded(app, () => searchHistory(app))),
    "rondo.externalEditor": () => done(runGuarded(app, () => writeElsewhere(app))),
    "rondo.toggleThinking": () => {
      view.isThinkingShown = !view.isThinkingShown;
      return done(screen.redraw());
    },
    "rondo.toggleDetails": () => {
      view.areDetailsShown = !view.areDetailsShown;
      return done(screen.redraw());
    },
    "rondo.model": () => done(runGuarded(app, () => modelCommand.run(app, ""))),
    "rondo.thinkingLevel": () => done(nextThinkingLevel(app)),
    "rondo.pasteImage": () => done(runGuarded(app, () => pasteImage(app))),
  });
}

/** The key is taken, whatever came of it. */
function done(_outcome: unknown): undefined {
  return undefined;
}

/** Whether there is nothing left to clear or to stop, so that the next thing would be to leave. */
function clearOrStop({ workbench: { editor }, talk }: App, effects: KeyEffects): boolean {
  if (!editor.isEmpty) {
    editor.setText("");
    return !talk.isWorking && !effects.hasErrands();
  }
  if (!effects.stopErrands() && talk.isWorking) talk.stop();
  return true;
}

/** Whether nothing has been written and nothing is asked. */
function isIdle({ workbench }: App): boolean {
  return workbench.editor.isEmpty && !workbench.isAsking && !workbench.editor.isShowingAutocomplete();
}

async function searchHistory({ session, workbench, conversation }: App): Promise<void> {
  const said = session.messages.flatMap((message) =>
    message.role === "user" ? [writtenText(personText(message))] : [],
  );
  const texts = [...new Set(said.toReversed())];
  if (texts.length === 0) return conversation.notice("note", "Nothing has been said yet.");
  const items = texts.map((text) => ({ value: text, label: oneLine(text) }));
  const chosen = await workbench.pick("What you said", items);
  if (chosen !== undefined) workbench.editor.putBack(chosen);
}

async function writeElsewhere(app: App): Promise<void> {
  const { editor } = app.workbench;
  const command = externalEditor(app.env);
  if (!command)
    return app.conversation.notice("warning", "Set $VISUAL or $EDITOR to the command of your editor, then try again.");
  const text = await app.lend((signal) => editExternally(command, editor.getExpandedText(), signal));
  if (text === undefined) return app.conversation.notice("warning", `${command} failed, so the text is as it was.`);
  editor.setText("");
  editor.putBack(text);
}
