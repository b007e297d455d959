// A small session as lines, for tests that damage it.
import type { SessionEntry, SessionHeader } from "../../src/session/entries.ts";

export const HEADER: SessionHeader = { type: "session", version: 1, id: "s", createdAt: 1, workspace: "/w" };

const usage = { cost: {} };
const assistant = { role: "assistant", api: "a", provider: "p", model: "m", usage, timestamp: 1 } as const;

/** Question, call, result, answer: with a text of more than one byte a character. */
export const ENTRIES: SessionEntry[] = [
  { type: "model", id: "e1", parentId: null, timestamp: 1, provider: "p", model: "m" },
  {
    type: "message",
    id: "e2",
    parentId: "e1",
    timestamp: 2,
    message: { role: "user", content: "Grüße, 🎼", timestamp: 2 },
  },
  {
    type: "message",
    id: "e3",
    parentId: "e2",
    timestamp: 3,
    message: {
      ...assistant,
      content: [{ type: "toolCall", id: "c1", name: "ls", arguments: { path: "." } }],
      stopReason: "toolUse",
    },
  },
  {
    type: "message",
    id: "e4",
    parentId: "e3",
    timestamp: 4,
    message: {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "ls",
      content: [{ type: "text", text: "a\nb" }],
      isError: false,
      timestamp: 4,
    },
  },
  {
    type: "message",
    id: "e5",
    parentId: "e4",
    timestamp: 5,
    message: { ...assistant, content: [{ type: "text", text: "Two files." }], stopReason: "stop" },
  },
];

export const LINES = [HEADER, ...ENTRIES].map((value) => `${JSON.stringify(value)}\n`);
