// A function call that comes whole or in pieces. Gemini streams arguments as values at JSON paths ("partialArgs"), not as text, so
// the object is put together here and handed on as JSON when the call is complete.
import type { ToolCallBlock } from "../../message-builder.ts";

interface PartialArgument {
  /** Such as `$.edits[0].path`. */
  jsonPath?: string;
  /** One of the four has the value; gateways fill the others with null. */
  stringValue?: string | null;
  numberValue?: number | null;
  boolValue?: boolean | null;
  nullValue?: unknown;
}

export interface WireFunctionCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
  partialArgs?: PartialArgument[];
  willContinue?: boolean;
}

export class StreamedCall {
  readonly block: ToolCallBlock;
  #whole: unknown;
  #assembled: Record<string, unknown> | undefined;

  constructor(block: ToolCallBlock) {
    this.block = block;
  }

  add(wire: WireFunctionCall): void {
    this.block.identify(wire.id, wire.name);
    if (wire.args !== undefined) this.#whole = wire.args;
    for (const argument of wire.partialArgs ?? []) {
      this.#assembled ??= {};
      place(this.#assembled, argument);
    }
  }

  end(): void {
    this.block.end(this.#assembled ?? this.#whole ?? {});
  }
}

/** Most places of an array that a path may leave out. Each is written as null, so that one path could otherwise ask for any memory. */
const PLACES_LEFT_OUT_MAX = 1000;

/** Puts one value at its path; strings at a path that has one already continue it. */
function place(root: Record<string, unknown>, argument: PartialArgument): void {
  const keys = pathKeys(argument.jsonPath ?? "");
  const last = keys.pop();
  if (last === undefined) return;
  let container = root;
  for (const [depth, key] of keys.entries()) {
    const next = keys[depth + 1] ?? last;
    if (!Object.hasOwn(container, key)) define(container, key, /^\d+$/.test(next) ? [] : {});
    const inner = container[key];
    if (typeof inner !== "object" || inner === null) return;
    container = inner as Record<string, unknown>;
  }
  const before = Object.hasOwn(container, last) ? container[last] : undefined;
  const { stringValue, numberValue, boolValue, nullValue } = argument;
  const value = stringValue ?? numberValue ?? boolValue ?? (nullValue === undefined ? undefined : null);
  if (value === undefined) return;
  define(container, last, typeof before === "string" && typeof value === "string" ? before + value : value);
}

function define(container: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(container) && Number(key) - container.length > PLACES_LEFT_OUT_MAX)
    throw new TypeError(`A path goes to place ${key} of an array of ${container.length}.`);
  Object.defineProperty(container, key, { value, enumerable: true, writable: true, configurable: true });
}

/** `$.a.b[0]['c d']` → `a`, `b`, `0`, `c d`. */
function pathKeys(path: string): string[] {
  const keys: string[] = [];
  for (const match of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)) {
    keys.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? "");
  }
  return keys;
}
