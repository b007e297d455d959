// The table in docs/histories.md holds every change that the preparation of a history reports, and each of them happens.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  getModel,
  prepareTranscript,
  type TranscriptChange,
  type TranscriptChangeCode,
} from "../../packages/ai/src/index.ts";
import { pngOfSize } from "../../test-fixtures/src/index.ts";
import { ROOT } from "./docs-markdown.ts";

const CLAUDE = getModel("anthropic", "claude-sonnet-4-5");
const OWN = { api: CLAUDE.api, provider: CLAUDE.provider, model: CLAUDE.id };

const user = (content: unknown = "Go on.") => ({ role: "user", content, timestamp: 0 });
const text = (text: string) => ({ type: "text", text });
const thinking = { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" };
const call = (id: string, extra: object = {}) => ({ type: "toolCall", id, name: "read", arguments: {}, ...extra });
const result = (toolCallId: string) => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [text("done")],
  isError: false,
  timestamp: 0,
});
const answer = (content: object[], extra: object = {}) => ({
  role: "assistant",
  content,
  ...OWN,
  usage: { cost: {} },
  stopReason: "stop",
  timestamp: 0,
  ...extra,
});

type Action = TranscriptChange["action"];

/** For each code and action a history in which it happens. */
const HISTORIES: Record<TranscriptChangeCode, Partial<Record<Action, unknown[]>>> = {
  message_invalid: { dropped: [user(), "rubbish"] },
  block_invalid: { dropped: [user([text("Look."), { type: "video" }])] },
  turn_empty: { dropped: [user(), answer([]), user()] },
  blank_text: { dropped: [user([text("Look."), text(" \n")])], rewritten: [user("")] },
  text_repaired: { rewritten: [user("A lone \ud800 surrogate")] },
  text_moved: { rewritten: [user(), answer([call("1"), text("I looked.")]), result("1")] },
  thinking_foreign: { dropped: [user(), answer([thinking, text("Yes.")], { model: "another" }), user()] },
  thinking_unfinished: { dropped: [user(), answer([text("Yes."), thinking]), user()] },
  signature_foreign: {
    dropped: [user(), answer([{ ...text("Yes."), textSignature: "c2ln" }], { model: "another" }), user()],
  },
  call_unfinished: {
    dropped: [user(), answer([text("I"), call("1", { malformedArguments: "{" })], { stopReason: "error" }), user()],
  },
  call_malformed: { rewritten: [user(), answer([call("1", { malformedArguments: "[]" })]), result("1")] },
  call_id_renamed: { rewritten: [user(), answer([call("an id")]), result("an id")] },
  result_missing: { added: [user(), answer([call("1")]), user()] },
  result_moved: { rewritten: [user(), answer([call("1")]), user(), result("1")] },
  result_orphaned: { dropped: [user(), result("1")] },
  result_duplicate: { dropped: [user(), answer([call("1")]), result("1"), result("1")] },
  image_replaced: { rewritten: [user([text("Look."), { type: "image", data: "%", mimeType: "image/png" }])] },
  image_type_corrected: { rewritten: [user([{ type: "image", data: pngOfSize(2, 2), mimeType: "image/jpeg" }])] },
  turn_bridged: { added: [answer([text("Hello.")])] },
};

const cases = Object.entries(HISTORIES).flatMap(([code, actions]) =>
  Object.entries(actions).map(([action, history]) => ({ code, action, history })),
);

test.each(cases)("$code, $action: it happens", ({ code, action, history }) => {
  const { report } = prepareTranscript(history as Parameters<typeof prepareTranscript>[0], CLAUDE);
  expect(report.changes.map((change) => `${change.code} ${change.action}`)).toContain(`${code} ${action}`);
});

test("the table has a row for each of them, and no other", () => {
  const page = readFileSync(join(ROOT, "docs/histories.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map((row) => `${row[1]} ${row[2]}`);
  expect(rows).toEqual(cases.map(({ code, action }) => `${code} ${action}`));
});

test("a text that is not blank goes through as it is", () => {
  const { report } = prepareTranscript([{ role: "user", content: "Hello", timestamp: 0 }], CLAUDE);
  expect(report).toEqual({ kept: 1, rewritten: 0, dropped: 0, added: 0, changes: [] });
});
