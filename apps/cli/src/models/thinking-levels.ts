// How hard a model can be asked to think.
import type { Model, ThinkingLevel } from "@rondo/ai";

/** All levels, the lowest first. */
export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The levels of a model, the lowest first; `off` alone if it does not think. */
export function thinkingLevelsOf({ reasoning, thinkingLevelMap }: Model): ThinkingLevel[] {
  return reasoning ? THINKING_LEVELS.filter((level) => thinkingLevelMap?.[level] !== null) : ["off"];
}
