// /model and /thinking: which model works, and how hard.
import { describeAuth, getModels, getProviders, type Model, type ThinkingLevel, thinkingLevels } from "@rondo/ai";
import { DEMO_MODEL } from "../../../demo/model.ts";
import type { App } from "../app.ts";
import { formatTokens } from "../format.ts";
import type { Command } from "./table.ts";

/** Chooses a model; with a part of its name, at once if only one has it. */
export const modelCommand: Command = {
  name: "model",
  description: "Choose a model",
  argumentHint: "[part of a name]",
  async run(app, argument) {
    const models = await allModels(app);
    const wanted = models.filter(({ name }) => name.includes(argument));
    const [only] = wanted;
    const items = (wanted.length > 0 ? wanted : models).map(({ name, model, hasKey }) => ({
      value: name,
      label: name,
      description: describe(model, hasKey),
      isPreferred: hasKey,
    }));
    const { model: current } = app.session.agent.state;
    const chosen =
      only && wanted.length === 1 && argument !== ""
        ? only.name
        : await app.workbench.pick("Model", items, `${current.provider}/${current.id}`);
    const found = models.find(({ name }) => name === chosen);
    if (!found) return;
    app.session.agent.state.model = found.model;
    const noKey = found.hasKey ? "" : " There is no key for it in the environment.";
    app.conversation.notice(found.hasKey ? "note" : "warning", `Model: ${found.name}.${noKey}`);
  },
};

/** Chooses how hard the model thinks. */
export const thinkingCommand: Command = {
  name: "thinking",
  description: "Choose how hard the model thinks",
  argumentHint: "[level]",
  completeArgument: (app, begun) =>
    thinkingLevels(app.session.agent.state.model)
      .filter((level) => level.startsWith(begun))
      .map((level) => ({ value: level, label: level })),
  async run(app, argument) {
    const levels = thinkingLevels(app.session.agent.state.model);
    const { agent } = app.session;
    const level = levels.includes(argument as ThinkingLevel)
      ? argument
      : await app.workbench.pick(
          "Thinking",
          levels.map((each) => ({ value: each, label: each })),
          agent.state.thinkingLevel,
        );
    if (level === undefined) return;
    agent.state.thinkingLevel = level as ThinkingLevel;
    app.conversation.notice("note", `Thinking: ${level}.`);
  },
};

/** The next thinking level of the model, and after the last the first. */
export function nextThinkingLevel(app: App): void {
  const { state } = app.session.agent;
  const levels = thinkingLevels(app.session.agent.state.model);
  state.thinkingLevel = levels[(levels.indexOf(state.thinkingLevel) + 1) % levels.length] ?? "off";
  app.screen.requestRender();
}

/** Models with a key first, then by name. */
async function allModels(app: App): Promise<{ name: string; model: Model; hasKey: boolean }[]> {
  const models = [
    DEMO_MODEL,
    app.session.agent.state.model,
    ...getProviders().flatMap((provider) => getModels(provider)),
  ];
  const byName = new Map(models.map((model) => [`${model.provider}/${model.id}`, model]));
  const keys = new Map<string, boolean>();
  for (const { provider } of byName.values())
    if (!keys.has(provider))
      keys.set(provider, provider === DEMO_MODEL.provider || (await describeAuth(provider, app)).usable);
  return [...byName]
    .map(([name, model]) => ({ name, model, hasKey: keys.get(model.provider) === true }))
    .sort((a, b) => Number(b.hasKey) - Number(a.hasKey) || (a.name < b.name ? -1 : 1));
}

function describe({ cost, contextWindow }: Model, isUsable: boolean): string {
  const prices =
    cost.input === undefined || cost.output === undefined ? "price unknown" : `$${cost.input} in, $${cost.output} out`;
  const window = contextWindow === undefined ? "" : ` · ${formatTokens(contextWindow)}`;
  return `${isUsable ? "key ✓" : "no key"} · ${prices}${window}`;
}
