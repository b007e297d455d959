// Themes, styles and keys, and where they are changed.
import { TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { Highlighter } from "../../../src/modes/interactive/highlighter.ts";
import { createKeyBindings } from "../../../src/modes/interactive/key-bindings.ts";
import {
  EDITOR_KEY_NAMES,
  keyConflicts,
  keyProblem,
  RONDO_KEY_BINDINGS,
} from "../../../src/modes/interactive/key-table.ts";
import { createTheme, themeFor } from "../../../src/modes/interactive/theme.ts";
import { startRig } from "./interactive-rig.ts";

const ENTER = "\r";

test("the theme follows the terminal, NO_COLOR before all", () => {
  expect(themeFor({ TERM: "xterm-256color", NO_COLOR: "1" })).toBe("plain");
  expect(themeFor({ TERM: "xterm" })).toBe("ansi16");
  expect(themeFor({ TERM: "xterm-256color" })).toBe("dark");
  expect(themeFor({ TERM: "xterm", COLORTERM: "truecolor", COLORFGBG: "0;15" })).toBe("light");
});

test("styles and keys can be changed by name", () => {
  const { paint } = createTheme("plain", new Highlighter(() => {}), {
    accent: "bold #ff8000 nonsense",
    error: "bright-red",
  });
  expect(paint("accent", "x")).toBe("\x1b[1m\x1b[38;2;255;128;0mx\x1b[39m\x1b[22m");
  expect(paint("error", "x")).toBe("\x1b[91mx\x1b[39m");
  expect(paint("success", "x")).toBe("x");
  const keys = createKeyBindings({ "rondo.model": "ctrl+p", "tui.editor.yank": "ctrl+t", "tui.select.up": "ctrl+o" });
  expect([keys.matches("\x10", "rondo.model"), keys.matches("\x0c", "rondo.model")]).toEqual([true, false]);
  // A key that was given away is free of its old meaning; those of lists hold beside the others.
  expect(keys.getKeys("rondo.toggleThinking")).toEqual([]);
  expect(keys.getKeys("rondo.toggleDetails")).toEqual(["ctrl+o"]);
});

test("keys are checked by name, and every name of the terminal library is known", () => {
  expect(Object.keys(EDITOR_KEY_NAMES).sort()).toEqual(Object.keys(TUI_KEYBINDINGS).sort());
  const defaults = Object.entries({ ...TUI_KEYBINDINGS, ...RONDO_KEY_BINDINGS });
  for (const [name, { defaultKeys }] of defaults) expect(keyProblem(name, defaultKeys as string)).toBeUndefined();
  for (const key of ["ctrl+", "ctrl++", "hyper+a", "f13", "", "ctrl+é", "shift+a", "?"])
    expect(keyProblem("rondo.model", key), key).toMatch(/is no key|is written with that key/);
  const both = { "rondo.model": "ctrl+p", "rondo.leave": ["f2", "Ctrl+P"] };
  expect(keyConflicts(both)).toEqual([
    {
      name: "rondo.leave",
      problem: "Ctrl+P is given to both rondo.model and rondo.leave, and only one of them can have it.",
    },
  ]);
});

test("/settings shows the keys and the colours by name, and the file in which they are changed", async () => {
  const rig = startRig({ columns: 120, rows: 80, env: { TERM: "xterm-256color", RONDO_CONFIG: "/config" } });
  const choose = async (wanted: string) => {
    rig.terminal.type("/settings ");
    rig.terminal.press(ENTER);
    await rig.shows("Escape leaves it");
    rig.terminal.type(wanted);
    rig.terminal.press(ENTER);
  };
  await choose("Keys:");
  await rig.shows("  rondo.abort                    escape · Stop what it is doing");
  const file = "· Changed by name in /config/settings.json, as in";
  await rig.shows(`${file} { "keys": { "rondo.model": "ctrl+p" } }`);
  await choose("Colours");
  await rig.shows("Styles of the theme dark");
  await rig.shows(`${file} { "styles": { "accent": "bold #ff8000" }`);
});
