// Which key does what: the editor's keys of the terminal library and those of the command, in one table that settings can change.
import { type KeybindingsConfig, KeybindingsManager, type KeyId, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { type KeySettings, plainKey, RONDO_KEY_BINDINGS } from "./key-table.ts";

declare module "@earendil-works/pi-tui" {
  interface Keybindings extends Record<keyof typeof RONDO_KEY_BINDINGS, true> {}
}

/** The editor's own keys that differ from the library's: what shells and other agents have under the fingers. */
const EDITOR_KEYS: Record<string, KeyId[]> = {
  "tui.editor.undo": ["ctrl+-", "ctrl+shift+-"],
  "tui.input.newLine": ["shift+enter", "ctrl+j"],
};

/** Makes the table of keys. A key that settings give to something has its old meaning of the command's own no more. */
export function createKeyBindings(settings: KeySettings = {}): KeybindingsManager {
  // Lists have their keys while they are open, and take them from nobody.
  const given = Object.entries(settings).flatMap(([name, keys]) =>
    name.startsWith("tui.select.") ? [] : [keys].flat().map(plainKey),
  );
  const moved = Object.entries(RONDO_KEY_BINDINGS)
    .filter(([, { defaultKeys }]) => given.includes(defaultKeys))
    .map(([name]) => [name, []]);
  // What is no key has been refused where settings are read.
  const wanted = { ...EDITOR_KEYS, ...Object.fromEntries(moved), ...settings } as KeybindingsConfig;
  return new KeybindingsManager({ ...TUI_KEYBINDINGS, ...RONDO_KEY_BINDINGS }, wanted);
}
