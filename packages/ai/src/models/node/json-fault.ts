// Where a text stops being JSON. Parsers tell it by position, with a line, or only with the character, by version and by mistake.
import { wordsOf } from "../../thrown.ts";

/** What is wrong with a text that is no JSON, and where. */
export interface JsonFault {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** What the parser says, without the place. */
  problem: string;
}

/**
 * Where a text that `JSON.parse` refused stops being JSON; at its end if it is cut off. Never throws.
 *
 * @param error what `JSON.parse` threw at it
 */
export function findJsonFault(text: string, error: unknown): JsonFault {
  const message = wordsOf(error);
  const before = text.slice(0, positionIn(text, message)).split("\n");
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    problem: message
      .replace(/ (?:in JSON )?at position .*$|, (?:\.\.\.)?".*$/s, "")
      .replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1)),
  };
}

/** A character that fits nowhere comes without its position: it is the last of the shortest beginning that has one. */
function positionIn(text: string, message: string): number {
  const told = /position (\d+)/.exec(message)?.[1];
  if (told !== undefined) return Number(told);
  if (!isMisfit(message)) return text.length;
  let fits = 0;
  let misfits = text.length;
  while (misfits - fits > 1) {
    const middle = Math.floor((fits + misfits) / 2);
    if (hasMisfit(text.slice(0, middle))) misfits = middle;
    else fits = middle;
  }
  return misfits - 1;
}

const isMisfit = (message: string): boolean => message.startsWith("Unexpected token");

function hasMisfit(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return isMisfit(wordsOf(error));
  }
}
