// Everything that a key can be given to, as data, and what counts as a key. Settings are checked against it at every start, so it
// knows nothing of the terminal library but types.
import type { KeybindingDefinitions } from "@earendil-works/pi-tui";

/** What the keys of the command do, with the keys that do it unless settings say otherwise. */
export const RONDO_KEY_BINDINGS = {
  "rondo.abort": { defaultKeys: "escape", description: "Stop what it is doing; again: show the tree" },
  "rondo.clear": { defaultKeys: "ctrl+c", description: "Clear the editor, or stop; again: leave" },
  "rondo.leave": { defaultKeys: "ctrl+d", description: "Leave, if the editor is empty" },
  "rondo.suspend": { defaultKeys: "ctrl+z", description: "Back to the shell; fg returns" },
  "rondo.followUp": { defaultKeys: "alt+enter", description: "Queue a message for when it is done" },
  "rondo.takeBack": { defaultKeys: "alt+up", description: "Take the last queued message back into the editor" },
  "rondo.history": { defaultKeys: "ctrl+r", description: "Search what you said in this conversation" },
  "rondo.externalEditor": { defaultKeys: "ctrl+g", description: "Write in $VISUAL or $EDITOR" },
  "rondo.toggleThinking": { defaultKeys: "ctrl+t", description: "Fold or unfold thinking" },
  "rondo.toggleDetails": { defaultKeys: "ctrl+o", description: "Fold or unfold what tools gave back" },
  "rondo.model": { defaultKeys: "ctrl+l", description: "Choose a model" },
  "rondo.thinkingLevel": { defaultKeys: "shift+tab", description: "Next thinking level" },
  "rondo.pasteImage": { defaultKeys: "ctrl+v", description: "Paste an image as a file" },
} as const satisfies KeybindingDefinitions;

/** What the keys of the editor and of lists do. The names are the terminal library's. */
export const EDITOR_KEY_NAMES: Record<string, string> = {
  "tui.input.submit": "Send",
  "tui.input.newLine": "Begin a new line",
  "tui.input.tab": "Complete",
  "tui.input.copy": "Nothing; rondo.clear has the key",
  "tui.editor.cursorUp": "A line up; in an empty editor what was sent before",
  "tui.editor.cursorDown": "A line down",
  "tui.editor.cursorLeft": "A character to the left",
  "tui.editor.cursorRight": "A character to the right",
  "tui.editor.cursorWordLeft": "A word to the left",
  "tui.editor.cursorWordRight": "A word to the right",
  "tui.editor.cursorLineStart": "To the beginning of the line",
  "tui.editor.cursorLineEnd": "To the end of the line",
  "tui.editor.jumpForward": "To the next place of the character that is pressed then",
  "tui.editor.jumpBackward": "To the last place before of the character that is pressed then",
  "tui.editor.pageUp": "A page up",
  "tui.editor.pageDown": "A page down",
  "tui.editor.deleteCharBackward": "Delete the character before",
  "tui.editor.deleteCharForward": "Delete the character after",
  "tui.editor.deleteWordBackward": "Cut the word before",
  "tui.editor.deleteWordForward": "Cut the word after",
  "tui.editor.deleteToLineStart": "Cut what is before in the line",
  "tui.editor.deleteToLineEnd": "Cut what is after in the line",
  "tui.editor.yank": "Bring back what was cut last",
  "tui.editor.yankPop": "After that: what was cut before it",
  "tui.editor.undo": "Undo",
  "tui.select.up": "In a list: up",
  "tui.select.down": "In a list: down",
  "tui.select.pageUp": "In a list: a page up",
  "tui.select.pageDown": "In a list: a page down",
  "tui.select.confirm": "In a list: take what is marked",
  "tui.select.cancel": "In a list: leave it",
};

/** Keys that settings give: the name of a thing → its key or keys; none with an empty list. */
export type KeySettings = Record<string, string | string[]>;

const MODIFIER = /^(?:(?:ctrl|alt|shift|super)\+)+/i;
const CHARACTER = /^[a-z\d`\-=[\]\\;',./!@#$%^&*()_|~{}:<>?]$/i;
const OTHER_NAMES: Record<string, string> = { esc: "escape", return: "enter" };
const NAMED =
  /^(?:escape|esc|enter|return|tab|space|backspace|delete|insert|clear|home|end|pageup|pagedown|up|down|left|right|f(?:[1-9]|1[0-2]))$/i;

/** What is wrong with one entry of the key settings; undefined if nothing is. */
export function keyProblem(name: string, keys: string | string[]): string | undefined {
  if (!Object.hasOwn(RONDO_KEY_BINDINGS, name) && !Object.hasOwn(EDITOR_KEY_NAMES, name))
    return `there is nothing called "${name}" that a key could be given to. There are ${Object.keys(RONDO_KEY_BINDINGS).join(", ")}, and those of the editor in docs/interactive.md.`;
  for (const key of typeof keys === "string" ? [keys] : keys) {
    const base = key.replace(MODIFIER, "");
    const isCharacter = CHARACTER.test(base);
    if (!isCharacter && !NAMED.test(base))
      return `"${key}" is no key. Write it like ctrl+p, alt+enter, shift+tab, pageUp or f5.`;
    if (isCharacter && !/ctrl|alt|super/i.test(key.slice(0, -base.length)))
      return `"${key}" is written with that key. Give it one with ctrl or alt: ctrl+${base}.`;
  }
  return undefined;
}

/** A key in one way of writing it, so that two can be compared. */
export function plainKey(key: string): string {
  const [modifiers = ""] = MODIFIER.exec(key) ?? [];
  const base = key.slice(modifiers.length).toLowerCase();
  return [...modifiers.toLowerCase().split("+").slice(0, -1).sort(), OTHER_NAMES[base] ?? base].join("+");
}

/** The entries for names of the command's own that give a key which an earlier one has given. */
export function keyConflicts(settings: KeySettings): { name: string; problem: string }[] {
  const conflicts: { name: string; problem: string }[] = [];
  const owners = new Map<string, string>();
  for (const [name, keys] of Object.entries(settings))
    for (const key of name.startsWith("rondo.") ? [keys].flat() : []) {
      const owner = owners.get(plainKey(key));
      if (owner === undefined) owners.set(plainKey(key), name);
      else if (owner !== name)
        conflicts.push({
          name,
          problem: `${key} is given to both ${owner} and ${name}, and only one of them can have it.`,
        });
    }
  return conflicts;
}
