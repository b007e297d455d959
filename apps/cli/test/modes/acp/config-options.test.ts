import { Agent } from "@rondo/agent";
import { customModel, type ThinkingLevel } from "@rondo/ai";
import { scriptedModel } from "@rondo/ai/testing";
import { expect, test } from "vitest";
import { chooseOption, describeOptions } from "../../../src/modes/acp/config-options.ts";

const model = { ...customModel({ id: "m", baseUrl: "http://127.0.0.1" }), reasoning: true };

test.each<[Partial<Record<ThinkingLevel, string | null>>, ThinkingLevel, ThinkingLevel, ThinkingLevel[]]>([
  [{}, "max", "high", ["off", "minimal", "low", "medium", "high"]],
  [{ max: "max", minimal: null }, "max", "max", ["off", "low", "medium", "high", "max"]],
  [{ off: null }, "off", "minimal", ["minimal", "low", "medium", "high"]],
])(
  "a model with the levels %j offers those that it has, and of %s shows what it comes to",
  (map, level, shown, offered) => {
    const initialState = { model: { ...model, thinkingLevelMap: map }, thinkingLevel: level };
    const agent = new Agent({ streamFn: scriptedModel([]).streamFn, initialState });
    const option = describeOptions(agent, []).find(({ id }) => id === "thinking");
    expect(option).toMatchObject({ currentValue: shown, options: offered.map((value) => ({ value })) });
    expect(() => chooseOption(agent, [], "thinking", "xhigh")).toThrow("There is no thinking xhigh to choose here.");
  },
);
