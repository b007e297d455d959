// /settings: how things look, for now; and how keys and colours are changed for good.
import { join } from "node:path";
import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui";
import { configFolder } from "../../../settings/config-folder.ts";
import type { App } from "../app.ts";
import { TableBlock, type TableSection } from "../blocks/table.ts";
import { EDITOR_KEY_NAMES, RONDO_KEY_BINDINGS } from "../key-table.ts";
import { ROLES, THEMES, type ThemeName } from "../themes.ts";
import { nextThinkingLevel } from "./model.ts";
import type { Command } from "./table.ts";

export const settingsCommand: Command = {
  name: "settings",
  description: "Change how things look, and see how keys and colours are changed",
  async run(app) {
    const { view, workbench } = app;
    const onOff = (isOn: boolean) => (isOn ? "on" : "off");
    const chosen = await workbench.pick("Settings", [
      { value: "theme", label: `Theme: ${app.themeName}` },
      { value: "thinking", label: `Show thinking: ${onOff(view.isThinkingShown)}` },
      { value: "details", label: `Show all that tools gave back: ${onOff(view.areDetailsShown)}` },
      { value: "level", label: `Thinking level: ${app.session.agent.state.thinkingLevel}` },
      { value: "keys", label: "Keys: which there are, and how to change them" },
      { value: "styles", label: "Colours of single things, and how to change them" },
    ]);
    if (chosen === "theme") await chooseTheme(app);
    if (chosen === "thinking") view.isThinkingShown = !view.isThinkingShown;
    if (chosen === "details") view.areDetailsShown = !view.areDetailsShown;
    if (chosen === "level") nextThinkingLevel(app);
    if (chosen === "keys") showInFile(app, keysSection(), '"keys": { "rondo.model": "ctrl+p" }');
    if (chosen === "styles") showInFile(app, stylesSection(app.themeName), '"styles": { "accent": "bold #ff8000" }');
    if (chosen !== undefined) app.screen.redraw();
  },
};

async function chooseTheme(app: App): Promise<void> {
  const names = Object.keys(THEMES).map((name) => ({ value: name, label: name }));
  const chosen = await app.workbench.pick("Theme", names, app.themeName);
  if (chosen !== undefined) app.setTheme(chosen as ThemeName);
}

/** Shows what can stand in a setting, and where that is. */
function showInFile({ screen, view, conversation, env, home }: App, section: TableSection, example: string): void {
  screen.transcript.add(new TableBlock(view, [section]));
  const file = join(configFolder(env, home), "settings.json");
  conversation.notice("note", `Changed by name in ${file}, as in { ${example} }, from the next start of rondo on.`);
}

function keysSection(): TableSection {
  const keys = getKeybindings();
  const names = Object.entries({ ...RONDO_KEY_BINDINGS, ...EDITOR_KEY_NAMES });
  const rows = names.map(([name, what]): [string, string] => [
    name,
    `${keys.getKeys(name as Keybinding).join(", ") || "no key"} · ${typeof what === "string" ? what : what.description}`,
  ]);
  return { title: "Keys", rows };
}

function stylesSection(theme: ThemeName): TableSection {
  return { title: `Styles of the theme ${theme}`, rows: ROLES.map((role) => [role, THEMES[theme][role]]) };
}
