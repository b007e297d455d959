// Which key does what: the editor's keys of the terminal library and those of the command, in one table that settings can change.
import { type KeybindingDefinitions, KeybindingsManager, type KeyId, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";

declare module "@earendil-works/pi-tui" {
  interface Keybindings {
    "rondo.abort": true;
    "rondo.clear": true;
    "rondo.leave": true;
    "rondo.suspend": true;
    "rondo.followUp": true;
    "rondo.takeBack": true;
    "rondo.externalEditor": true;
    "rondo.toggleThinking": true;
    "rondo.toggleDetails": true;
    "rondo.model": true;
    "rondo.thinkingLevel": true;
    "rondo.pasteImage": true;
  }
}

/** What the keys of the command do, with the keys that do it unless settings say otherwise. */
export const RONDO_KEY_BINDINGS = {
  "rondo.abort": { defaultKeys: "escape", description: "Stop what it is doing; again: show the tree" },
  "rondo.clear": { defaultKeys: "ctrl+c", description: "Clear the editor, or stop; again: leave" },
  "rondo.leave": { defaultKeys: "ctrl+d", description: "Leave, if the editor is empty" },
  "rondo.suspend": { defaultKeys: "ctrl+z", description: "Back to the shell; fg returns" },
  "rondo.followUp": { defaultKeys: "alt+enter", description: "Queue a message for when it is done" },
  "rondo.takeBack": { defaultKeys: "alt+up", description: "Take the last queued message back into the editor" },
  "rondo.externalEditor": { defaultKeys: "ctrl+g", description: "Write in $VISUAL or $EDITOR" },
  "rondo.toggleThinking": { defaultKeys: "ctrl+t", description: "Fold or unfold thinking" },
  "rondo.toggleDetails": { defaultKeys: "ctrl+o", description: "Fold or unfold what tools gave back" },
  "rondo.model": { defaultKeys: "ctrl+l", description: "Choose a model" },
  "rondo.thinkingLevel": { defaultKeys: "shift+tab", description: "Next thinking level" },
  "rondo.pasteImage": { defaultKeys: "ctrl+v", description: "Paste an image as a file" },
} as const satisfies KeybindingDefinitions;

/** The editor's own keys that differ from the library's: what shells and other agents have under the fingers. */
const EDITOR_KEYS: Record<string, KeyId[]> = {
  "tui.editor.undo": ["ctrl+-", "ctrl+shift+-"],
  "tui.input.newLine": ["shift+enter", "ctrl+j"],
};

/** Keys that settings give: the name of a thing → its key or keys. */
export type KeySettings = Record<string, KeyId | KeyId[]>;

/** Makes the table of keys. Names that nothing has are left out. */
export function createKeyBindings(settings: KeySettings = {}): KeybindingsManager {
  return new KeybindingsManager({ ...TUI_KEYBINDINGS, ...RONDO_KEY_BINDINGS }, { ...EDITOR_KEYS, ...settings });
}
