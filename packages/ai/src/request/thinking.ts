// A thinking level that means the same everywhere, fitted to what one model can.
import { THINKING_LEVELS } from "../thinking-levels.ts";
import type { Model, ThinkingBudgets, ThinkingLevel } from "../types.ts";

/** Levels that a thinking model is taken to have when nothing is known of it. */
const USUAL_LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high"];
/** Thinking tokens per level, for models that take a number. Anthropic's minimum is 1,024 (extended thinking, 2025). */
const BUDGETS: Record<Exclude<ThinkingLevel, "off">, number> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

/** What to ask of a model. */
export interface Thinking {
  /** The level that the model has, nearest to the one asked for. */
  level: ThinkingLevel;
  /** The provider's word for it. */
  word: string;
  /** Whether the level is another than the one asked for. */
  clamped: boolean;
}

/** The levels that a model has, from least to most. A model that does not think has only `off`. */
export function thinkingLevels(model: Model): ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  const map = model.thinkingLevelMap;
  return THINKING_LEVELS.filter((level) => {
    const word = map?.[level];
    return word !== null && (word !== undefined || USUAL_LEVELS.includes(level));
  });
}

/** Fits a level to a model, as every call does: the nearest level that it has, the lower one where two are as near. */
export function resolveThinking(model: Model, asked: ThinkingLevel): Thinking {
  const rank = THINKING_LEVELS.indexOf(asked);
  const distance = (level: ThinkingLevel): number => Math.abs(THINKING_LEVELS.indexOf(level) - rank);
  const wanted = thinkingLevels(model).filter((level) => asked === "off" || level !== "off" || !model.reasoning);
  const level = wanted.reduce((best, next) => (distance(next) < distance(best) ? next : best), wanted[0] ?? "off");
  return { level, word: model.thinkingLevelMap?.[level] ?? level, clamped: level !== asked };
}

/** The thinking tokens of a level, the caller's own budgets first. */
export function thinkingBudget(level: Exclude<ThinkingLevel, "off">, budgets: ThinkingBudgets | undefined): number {
  return budgets?.[level] ?? BUDGETS[level];
}
