import { EventFilter, joinDeltas, type PublishedEvent } from "@rondo/durable";
import { expect, test } from "vitest";

const delta = (value: string, attempt: number, until = "1/message_end/2"): PublishedEvent => ({
  until,
  turn: 1,
  attempt,
  event: {
    type: "message_update",
    assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: value },
  },
});
const turnEnd = (key: string, attempt: number): PublishedEvent => ({
  key,
  turn: 1,
  attempt,
  event: { type: "turn_end" },
});

test("an event with a key comes out once, whichever attempt tells it", () => {
  const filter = new EventFilter();
  const told = [turnEnd("a", 1), turnEnd("b", 1), turnEnd("a", 2), turnEnd("c", 2)];
  expect(told.map((event) => filter.admit(event))).toEqual([true, true, false, true]);
});

test("progress of an attempt that was given up is dropped once a newer one speaks, and all of it after the end", () => {
  const filter = new EventFilter();
  const told = [delta("a", 1), delta("b", 2), delta("late", 1), turnEnd("1/message_end/2", 2), delta("later", 3)];
  expect(told.map((event) => filter.admit(event))).toEqual([true, true, false, true, false]);
});

test("deltas of another block, kind, message or attempt are not joined", () => {
  const other = (change: object): PublishedEvent => ({
    ...delta("b", 1),
    event: {
      type: "message_update",
      assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "b", ...change },
    } as PublishedEvent["event"],
  });
  const others = [other({ contentIndex: 1 }), other({ type: "thinking_delta" }), delta("b", 1, "x"), delta("b", 2)];
  for (const second of others) expect(joinDeltas([delta("a", 1), second])).toEqual([delta("a", 1), second]);
});

test("neighbouring deltas of one block and attempt are joined, others are not", () => {
  expect(joinDeltas([delta("a", 1), delta("b", 1), delta("c", 2), turnEnd("k", 2), delta("d", 2, "other")])).toEqual([
    delta("ab", 1),
    delta("c", 2),
    turnEnd("k", 2),
    delta("d", 2, "other"),
  ]);
});
