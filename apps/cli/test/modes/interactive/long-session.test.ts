import type { AgentMessage } from "@rondo/agent";
import { expect, test } from "vitest";
import { firstShown } from "../../../src/modes/interactive/commands/session.ts";

const says = (role: AgentMessage["role"]) => ({ role }) as AgentMessage;
const turn = ["user", "assistant", "toolResult", "assistant"] as const;

test("of a long session the end is shown, from something that the person said", () => {
  const messages = Array.from({ length: 250 }, () => turn.map(says)).flat();
  const from = firstShown(messages);
  expect([messages.length - from, messages[from]?.role]).toEqual([500, "user"]);
  expect(firstShown([...messages, says("user")])).toBe(504);
  expect(firstShown(messages.slice(0, 500))).toBe(0);
  // One run alone that is longer than what is shown.
  const run = [says("user"), ...Array.from({ length: 700 }, () => says("assistant"))];
  expect(firstShown(run)).toBe(201);
});
