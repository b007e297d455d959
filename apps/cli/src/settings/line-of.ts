// Where something stands in a JSON text, so that a mistake can be told with its line.

interface Frame {
  isObject: boolean;
  /** The key or index that we are at. */
  at: string | number;
  expectsKey: boolean;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The line, from 1, of the key or element that a path leads to, in a text that is valid JSON; 1 if it is not there. */
export function lineOf(text: string, path: readonly (string | number)[]): number {
  const frames: Frame[] = [];
  const isThere = () => frames.length === path.length && frames.every(({ at }, index) => at === path[index]);
  const lineAt = (index: number) => text.slice(0, index).split("\n").length;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (token === "}" || token === "]") frames.pop();
    else if (token === ",") {
      if (frame?.isObject) frame.expectsKey = true;
      else if (frame) frame.at = (frame.at as number) + 1;
    } else if (frame?.expectsKey) {
      frame.at = JSON.parse(token) as string;
      frame.expectsKey = false;
      if (isThere()) return lineAt(index);
    } else if (token !== ":") {
      if (frame && !frame.isObject && isThere()) return lineAt(index);
      if (token === "{") frames.push({ isObject: true, at: "", expectsKey: true });
      if (token === "[") frames.push({ isObject: false, at: 0, expectsKey: false });
    }
  }
  return 1;
}
