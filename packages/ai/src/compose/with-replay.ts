// Plays recorded answers. Strict: a request that was not recorded fails and says which recording is nearest and where it differs.
import { detailsOf } from "../error-kinds.ts";
import { isObject, shownJson } from "../tools/json-values.ts";
import type { AssistantMessage } from "../types.ts";
import type { Cassette, RecordedEvent, Recording } from "./cassette.ts";
import { type Relay, relay } from "./relay.ts";
import { keyOf, meaningOf, type RequestMeaning } from "./request-meaning.ts";
import type { StreamFunction } from "./stream-function.ts";

/**
 * A stream function that answers from a cassette. Recordings of one request are played in their order; after the last one it is played
 * again. A request that is not on the cassette ends in an error of kind `invalid_request` with the code `no_recording`.
 */
export function withReplay(cassette: Cassette): StreamFunction {
  const played = new Map<string, number>();
  return (model, context, options) =>
    relay(model, options, async (front) => {
      const request = meaningOf(model, context, options);
      const key = keyOf(request);
      const matches = cassette.recordings.filter((recording) => recording.key === key);
      const turn = played.get(key) ?? 0;
      const recording = matches[Math.min(turn, matches.length - 1)];
      if (recording === undefined) {
        front.fail(detailsOf("invalid_request", { code: "no_recording" }), missing(request, cassette.recordings));
        return;
      }
      played.set(key, turn + 1);
      await play(recording, front);
    });
}

async function play({ events, message }: Recording, front: Relay): Promise<void> {
  const final = structuredClone(message);
  const partial: AssistantMessage = { ...final, content: [], stopReason: "stop" };
  delete partial.errorMessage;
  delete partial.error;
  if (events.length > 0 || final.stopReason !== "error") front.push({ type: "start", partial });
  for (const event of events) {
    if (front.signal.aborted) {
      front.abort();
      return;
    }
    advance(partial, event, final);
    front.push({ ...event, partial } as Parameters<Relay["push"]>[0]);
    await front.room();
  }
  if (front.signal.aborted) front.abort();
  else {
    Object.assign(partial, final);
    if (partial.stopReason === "error" || partial.stopReason === "aborted")
      front.push({ type: "error", reason: partial.stopReason, error: partial });
    else front.push({ type: "done", reason: partial.stopReason, message: partial });
  }
}

/** Takes one event into the message under construction. */
function advance(partial: AssistantMessage, event: RecordedEvent, final: AssistantMessage): void {
  const recorded = event as RecordedEvent & { delta?: string };
  const { contentIndex } = recorded;
  const block = partial.content[contentIndex];
  const whole = final.content[contentIndex];
  if (recorded.type === "text_start") partial.content.push({ type: "text", text: "" });
  else if (recorded.type === "thinking_start") partial.content.push({ type: "thinking", thinking: "" });
  else if (recorded.type === "toolcall_start" && whole?.type === "toolCall")
    partial.content.push({ type: "toolCall", id: whole.id, name: whole.name, arguments: {} });
  else if (block?.type === "text" && recorded.type === "text_delta") block.text += recorded.delta;
  else if (block?.type === "thinking" && recorded.type === "thinking_delta") block.thinking += recorded.delta;
  else if (recorded.type.endsWith("_end") && block && whole) Object.assign(block, whole);
}

function missing(request: RequestMeaning, recordings: readonly Recording[]): string {
  const differences = recordings.map((recording, index) => ({
    index,
    places: differencesOf(recording.request, request, ""),
  }));
  differences.sort((left, right) => left.places.length - right.places.length);
  const nearest = differences[0];
  if (nearest === undefined) return "The cassette is empty: record the calls first.";
  const [place] = nearest.places;
  const which =
    recordings.length === 1
      ? "Its one recording"
      : `The nearest of its ${recordings.length} recordings, number ${nearest.index + 1},`;
  const where = nearest.places.length === 1 ? "at" : `in ${nearest.places.length} places, first at`;
  return `The request is not on the cassette. ${which} differs ${where} ${place?.path}: recorded ${shownJson(place?.left)}, asked ${shownJson(place?.right)}. Record the calls again if that is meant.`;
}

interface Difference {
  path: string;
  left: unknown;
  right: unknown;
}

function differencesOf(left: unknown, right: unknown, path: string): Difference[] {
  if (left === right) return [];
  const areArrays = Array.isArray(left) && Array.isArray(right);
  if (!areArrays && !(isObject(left) && isObject(right))) return [{ path: path || "the request", left, right }];
  const before = left as Record<string, unknown>;
  const after = right as Record<string, unknown>;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    differencesOf(before[key], after[key], areArrays ? `${path}[${key}]` : path ? `${path}.${key}` : key),
  );
}
