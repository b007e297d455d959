// /permissions, /cost, /help, /quit: what holds, what it has cost, what there is.
import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui";
import { countOf } from "../../../presentation/count-of.ts";
import type { Totals } from "../../../session/usage-totals.ts";
import { TableBlock } from "../blocks/table.ts";
import { formatCost, formatTokens } from "../format.ts";
import { RONDO_KEY_BINDINGS } from "../key-table.ts";
import type { Command } from "./table.ts";

export const permissionsCommand: Command = {
  name: "permissions",
  description: "Show which tool calls are allowed, asked about or refused",
  run({ session, conversation }) {
    const rules = session.rules.map(({ verdict, text }) => `${verdict}  ${text}`);
    const intro = rules.length === 0 ? "No rules; the defaults hold:" : "Rules:";
    const defaults = "By default reading inside the workspace is free, and everything else is asked about.";
    conversation.notice("note", [intro, ...rules, defaults].join("\n"));
  },
};

export const costCommand: Command = {
  name: "cost",
  description: "Show what this session has used, by model",
  run({ session, conversation }) {
    const { byName, all, notes } = session.usage;
    if (all.calls === 0) return conversation.notice("note", "Nothing has been used yet.");
    const lines = [...byName].map(([name, totals]) => describeTotals(name, totals));
    if (byName.size > 1) lines.push(describeTotals("all", all));
    if (notes.calls > 0) lines.push(describeTotals("of it for notes (compaction)", notes));
    conversation.notice("note", lines.join("\n"));
  },
};

function describeTotals(name: string, totals: Totals): string {
  const { calls, input, output, cacheRead, cacheWrite } = totals;
  const tokens = `↑${formatTokens(input)} ↓${formatTokens(output)}`;
  const cache = `cache ${formatTokens(cacheRead)} read ${formatTokens(cacheWrite)} written`;
  return `${name}: ${countOf(calls, "call")}, ${tokens}, ${cache}, ${formatCost(totals)}`;
}

export const quitCommand: Command = {
  name: "quit",
  aliases: ["exit", "q"],
  description: "Leave",
  run: (app) => app.leave(),
};

/** Makes /help of all commands, itself included. */
export function createHelpCommand(listCommands: () => Command[]): Command {
  return {
    name: "help",
    description: "Show commands and keys",
    run({ screen, view }) {
      const keys = getKeybindings();
      const commands = listCommands().map(({ name, argumentHint, description }): [string, string] => [
        `/${name}${argumentHint ? ` ${argumentHint}` : ""}`,
        description,
      ]);
      const bindings = Object.entries(RONDO_KEY_BINDINGS).map(([name, { description }]): [string, string] => [
        keys.getKeys(name as Keybinding).join(", ") || "no key",
        description,
      ]);
      const newLine = [...keys.getKeys("tui.input.newLine"), "\\ enter"].join(", ");
      const writing: [string, string][] = [
        [keys.getKeys("tui.input.submit").join(", "), "Send; while it works: steer"],
        [newLine, "New line"],
        ["@", "A file of the workspace"],
        ["!", "Run a command; the model sees what it prints"],
      ];
      screen.transcript.add(
        new TableBlock(view, [
          { title: "Commands", rows: commands },
          { title: "Keys", rows: [...writing, ...bindings] },
        ]),
      );
      screen.requestRender();
    },
  };
}
