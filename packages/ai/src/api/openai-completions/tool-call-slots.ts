// Which tool call a piece of one belongs to. Servers leave indexes out, start them from 1, give all calls the same one, repeat a call
// under another, change or drop ids, and send arguments before the name. Invariant: a piece goes to exactly one call, and a call that
// is whole never gets the arguments of another.

import { argumentText } from "../../decoding/argument-text.ts";
import { textOf } from "../../decoding/text-of.ts";
import type { MessageBuilder, ToolCallBlock } from "../../message-builder.ts";
import { isObject, type JsonObject } from "../../tools/json-values.ts";
import type { FunctionDelta, ToolCallDelta } from "./chunk.ts";
import { JsonExtent } from "./json-extent.ts";

interface OpenCall {
  block: ToolCallBlock;
  /** Tells when the arguments are complete: then nothing can follow. */
  extent: JsonExtent;
  /** The slot that it began in. */
  key: SlotKey;
  /** The name as the server sent it. */
  name: string;
  /** Every id that the server has used for this call. */
  ids: Set<string>;
}

/** An index, or a stand-in for one. */
type SlotKey = number | string;

/** A place that pieces are addressed to. */
interface Slot {
  call: OpenCall;
  /** Set if the call began in another slot: what this slot has repeated of it so far. */
  repeated?: string;
}

/** One piece, cleaned of nulls. */
interface Piece {
  id: string;
  name: string;
  text: string;
  /** Opaque data to be sent back with the call. */
  extra: JsonObject | undefined;
}

export class ToolCallSlots {
  readonly #builder: MessageBuilder;
  readonly #beforeCall: () => void;
  readonly #slots = new Map<SlotKey, Slot>();
  readonly #callOfId = new Map<string, OpenCall>();
  #lastKey: SlotKey | undefined;
  #unnumbered = 0;
  /** The first call, if there is one. */
  first: ToolCallBlock | undefined;

  /** @param beforeCall ends what is open before a new call begins */
  constructor(builder: MessageBuilder, beforeCall: () => void) {
    this.#builder = builder;
    this.#beforeCall = beforeCall;
  }

  /** Takes the pieces of one chunk. */
  read(deltas: readonly ToolCallDelta[]): void {
    for (const [position, delta] of deltas.entries()) {
      if (!isObject(delta)) continue;
      const piece = pieceOf(delta);
      this.#take(indexOf(delta.index) ?? this.#keyWithoutIndex(piece, position), piece);
    }
  }

  /** Takes a piece of the one call of the legacy `function_call` field. */
  readLegacy(call: FunctionDelta): void {
    this.#take("function_call", pieceOf({ function: call }));
  }

  /** Without an index, pieces of one chunk are different calls, and a piece goes on with the call of its id or the last one. */
  #keyWithoutIndex(piece: Piece, position: number): SlotKey {
    const known = this.#callOfId.get(piece.id);
    if (known) return known.key;
    const another = position > 0 && (piece.id !== "" || piece.name !== "");
    return another || this.#lastKey === undefined ? `unnumbered ${this.#unnumbered++}` : this.#lastKey;
  }

  #take(key: SlotKey, piece: Piece): void {
    const slot = this.#slotFor(key, piece);
    const { call } = slot;
    this.#lastKey = key;
    this.#slots.set(key, slot);
    if (piece.id !== "") {
      call.ids.add(piece.id);
      if (!this.#callOfId.has(piece.id)) this.#callOfId.set(piece.id, call);
    }
    call.name ||= piece.name;
    call.block.identify(piece.id, piece.name);
    if (piece.extra) call.block.sign(JSON.stringify({ extra_content: piece.extra }));
    if (slot.repeated !== undefined) this.#repeat(key, slot, slot.repeated, piece);
    else if (!isRepetition(call, piece.text)) append(call, piece.text);
  }

  #slotFor(key: SlotKey, piece: Piece): Slot {
    const slot = this.#slots.get(key);
    if (slot && piece.id === "" && piece.name === "") return slot;
    const known = slot?.call.ids.has(piece.id) ? slot.call : this.#callOfId.get(piece.id);
    if (known && known !== slot?.call) return { call: known, repeated: "" };
    if (slot && !beginsAnother(slot.call, piece)) return slot;
    return { call: this.#open(key, piece) };
  }

  /** A call that the server sends again under another index: only what is new counts. */
  #repeat(key: SlotKey, slot: Slot, before: string, piece: Piece): void {
    const { block } = slot.call;
    const all = before + piece.text;
    slot.repeated = all;
    if (block.raw.startsWith(all)) return;
    if (all.startsWith(block.raw)) {
      append(slot.call, all.slice(block.raw.length));
    } else if (before === "" && !piece.text.startsWith("{")) {
      delete slot.repeated; // No repetition, but the rest of the call.
      append(slot.call, piece.text);
    } else {
      // The same id, but other arguments: a call of its own, for which the server used the id again.
      const call = this.#open(key, { ...piece, name: piece.name || slot.call.name });
      this.#slots.set(key, { call });
      append(call, all);
    }
  }

  #open(key: SlotKey, piece: Piece): OpenCall {
    this.#beforeCall();
    const block = this.#builder.openToolCall(piece.id, piece.name);
    const call: OpenCall = { block, extent: new JsonExtent(), key, name: piece.name, ids: new Set() };
    if (piece.id !== "") this.#callOfId.set(piece.id, call);
    this.first ??= block;
    return call;
  }
}

function append(call: OpenCall, text: string): void {
  call.extent.feed(text);
  call.block.append(text);
}

/** Some servers write their indexes as texts. */
function indexOf(index: unknown): number | undefined {
  if (typeof index === "string" && /^\d{1,9}$/.test(index)) return Number(index);
  return typeof index === "number" ? index : undefined;
}

function pieceOf(delta: ToolCallDelta): Piece {
  const { name, arguments: args } = isObject(delta.function) ? delta.function : delta;
  return {
    id: typeof delta.id === "number" ? String(delta.id) : textOf(delta.id),
    name: textOf(name),
    text: argumentText(args),
    extra: isObject(delta.extra_content) ? delta.extra_content : undefined,
  };
}

/** Whether a piece in the place of `call` is the beginning of another call rather than more of it. */
function beginsAnother(call: OpenCall, piece: Piece): boolean {
  if (piece.name === "" || call.name === "") return false;
  const otherId = piece.id !== "" && call.ids.size > 0 && !call.ids.has(piece.id);
  if (otherId && piece.name !== call.name) return true;
  if (!call.extent.complete) return false;
  return otherId || (piece.text.trim() !== "" && piece.text !== call.block.raw);
}

/** Some servers send the whole arguments once more at the end. */
const isRepetition = (call: OpenCall, text: string): boolean =>
  call.extent.complete && text.length > 1 && text === call.block.raw;
