// How hard a model can be asked to think, in the words of this layer.
import type { ThinkingLevel } from "./types.ts";

/** All thinking levels, from `off` to the highest. What a model has of them tells `thinkingLevels`. */
export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
