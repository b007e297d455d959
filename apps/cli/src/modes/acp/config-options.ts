// What an editor may choose in a session, in the protocol's words: the model, and how hard it thinks.
import type { SessionConfigOption, SessionConfigSelectGroup } from "@agentclientprotocol/sdk";
import type { Agent } from "@rondo/agent";
import { type Model, resolveThinking, type ThinkingLevel, thinkingLevels } from "@rondo/ai";

const nameOf = ({ provider, id }: Model) => `${provider}/${id}`;

/** The choices and what is chosen now. A model that thinks at no level has no choice of one. */
export function describeOptions({ state: { model, thinkingLevel } }: Agent, models: Model[]): SessionConfigOption[] {
  const groups = new Map<string, SessionConfigSelectGroup>();
  const all = models.some((each) => nameOf(each) === nameOf(model)) ? models : [model, ...models];
  for (const each of all) {
    const group = groups.get(each.provider) ?? { group: each.provider, name: each.provider, options: [] };
    group.options.push({ value: nameOf(each), name: each.name });
    groups.set(each.provider, group);
  }
  const levels = thinkingLevels(model);
  return [
    {
      type: "select",
      id: "model",
      name: "Model",
      category: "model",
      currentValue: nameOf(model),
      options: [...groups.values()],
    },
    ...(levels.length < 2
      ? []
      : [
          {
            type: "select" as const,
            id: "thinking",
            name: "Thinking",
            category: "thought_level",
            currentValue: resolveThinking(model, thinkingLevel).level,
            options: levels.map((level) => ({ value: level, name: level })),
          },
        ]),
  ];
}

/** Makes a choice; it holds from the next model call on. Throws an error for people if there is no such choice. */
export function chooseOption({ state }: Agent, models: Model[], id: string, value: unknown): void {
  const model = id === "model" && models.find((each) => nameOf(each) === value);
  const isLevel = id === "thinking" && thinkingLevels(state.model).some((level) => level === value);
  if (model) state.model = model;
  else if (isLevel) state.thinkingLevel = value as ThinkingLevel;
  else throw new Error(`There is no ${id} ${String(value)} to choose here.`);
}
