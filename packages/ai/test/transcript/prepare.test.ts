import { pngOfSize } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { prepareTranscript } from "../../src/transcript/prepare.ts";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../../src/types.ts";
import { modelOf } from "./targets.ts";

const CLAUDE = { api: "anthropic-messages", provider: "anthropic", model: "claude" };
const GPT = { api: "openai-responses", provider: "openai", model: "gpt" };
const GEMINI = { api: "google-generative-ai", provider: "google", model: "gemini" };

const user = (content: UserMessage["content"]): UserMessage => ({ role: "user", content, timestamp: 1 });
const call = (id: string, extra: Partial<ToolCall> = {}): ToolCall => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: { path: "." },
  ...extra,
});
const text = (value: string) => ({ type: "text" as const, text: value });
const result = (toolCallId: string, content: ToolResultMessage["content"] = [text("done")]): ToolResultMessage => {
  return { role: "toolResult", toolCallId, toolName: "read", content, isError: false, timestamp: 3 };
};
const answer = (content: AssistantMessage["content"], extra: Partial<AssistantMessage> = {}): AssistantMessage => {
  return { role: "assistant", content, ...CLAUDE, usage: { cost: {} }, stopReason: "stop", timestamp: 2, ...extra };
};
const interrupted = (toolCallId: string): ToolResultMessage => ({
  ...result(toolCallId, [text("interrupted: there is no result of this call. It may have run or not.")]),
  isError: true,
  timestamp: 2,
});

function prepared(messages: readonly unknown[], model: Model = modelOf(CLAUDE)): Message[] {
  return prepareTranscript(messages as Message[], model).messages;
}

test("a result that comes when the model has been asked again changes nothing of what it was told", () => {
  const asked = [user("hi"), answer([call("a")]), answer([], { stopReason: "error" })];
  const told = [user("hi"), answer([call("a")]), interrupted("a")];
  expect(prepared(asked)).toEqual(told);
  expect(prepared([...asked, result("a")])).toEqual(told);
});

describe("thinking", () => {
  const thinking = { type: "thinking" as const, thinking: "hm \u0000", thinkingSignature: "c2ln" };
  const redacted = { type: "thinking" as const, thinking: "", thinkingSignature: "ZW5j", redacted: true };
  const history = [user("hi"), answer([thinking, redacted, text("ok")]), user("and?")];

  test("goes back to its own model byte for byte", () => {
    expect(prepared(history)).toEqual(history);
  });

  test.each([
    ["another model", { ...CLAUDE, model: "claude-2" }],
    ["another provider", { ...CLAUDE, provider: "proxy" }],
    ["another API", GPT],
    ["another API of the same provider", { ...CLAUDE, api: "openai-completions" }],
  ])("is dropped for %s, and nothing is made of it", (_name, identity) => {
    expect(prepared(history, modelOf(identity))).toEqual([user("hi"), answer([text("ok")]), user("and?")]);
  });

  test("that leads to nothing is dropped", () => {
    expect(
      prepared([user("hi"), answer([text("ok"), thinking]), user("and?"), answer([thinking]), user("well?")]),
    ).toEqual([user("hi"), answer([text("ok")]), user("and?"), user("well?")]);
  });
});

test("signatures of texts and calls stay with their own model", () => {
  const signed = answer([{ ...text("ok"), textSignature: "c2ln" }, call("a", { thoughtSignature: "dGg=" })], GEMINI);
  const history = [user("hi"), signed, result("a")];
  expect(prepared(history, modelOf(GEMINI))).toEqual(history);
  expect(prepared(history)).toEqual([user("hi"), { ...signed, content: [text("ok"), call("a")] }, result("a")]);
});

describe("tool-call ids", () => {
  test("are renamed for call and result alike where the API refuses them", () => {
    const long = `call_${"x".repeat(195)}`;
    const messages = prepared([user("hi"), answer([call(long), call("a|b")]), result("a|b"), result(long)]);
    const ids = (messages[1] as AssistantMessage).content.map((block) => (block as ToolCall).id);
    for (const id of ids) expect(id).toMatch(/^call_[0-9a-z]{13}$/);
    expect(messages.slice(2)).toEqual(ids.map((id) => result(id)));
  });

  test("are nine letters and digits where the server wants that", () => {
    const model = modelOf(
      { api: "openai-completions", provider: "mistral", model: "m" },
      { quirks: { shortToolCallIds: true } },
    );
    const messages = prepared(
      [user("hi"), answer([call("call_1")]), result("call_1"), answer([call("abcDEF123")]), result("abcDEF123")],
      model,
    );
    expect((messages[2] as ToolResultMessage).toolCallId).toMatch(/^[0-9a-z]{9}$/);
    expect((messages[4] as ToolResultMessage).toolCallId).toBe("abcDEF123");
  });

  test("that repeat are made unique in order, the first staying as it is", () => {
    const messages = prepared([
      user("hi"),
      answer([call("list"), call("list")]),
      result("list", [text("one")]),
      result("list", [text("two")]),
      answer([call("list")]),
      result("list", [text("three")]),
    ]);
    const results = messages.filter((message) => message.role === "toolResult");
    expect(results.map(({ content }) => (content[0] as { text: string }).text)).toEqual(["one", "two", "three"]);
    expect(results[0]?.toolCallId).toBe("list");
    expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(3);
  });
});

describe("calls and results", () => {
  test("a call without a result gets one that says so, directly after its message", () => {
    expect(prepared([user("hi"), answer([call("a"), call("b")]), result("a"), user("go on")])).toEqual([
      user("hi"),
      answer([call("a"), call("b")]),
      result("a"),
      interrupted("b"),
      user("go on"),
    ]);
  });

  test("results without a call and second results are dropped and reported", () => {
    const { messages, report } = prepareTranscript(
      [user("hi"), result("gone"), answer([call("a")]), result("a"), result("a", [text("again")])],
      modelOf(CLAUDE),
    );
    expect(messages).toEqual([user("hi"), answer([call("a")]), result("a")]);
    expect(report).toEqual({
      kept: 3,
      rewritten: 0,
      dropped: 2,
      added: 0,
      changes: [
        {
          code: "result_orphaned",
          action: "dropped",
          messageIndex: 1,
          message: "A tool result without its call was dropped.",
        },
        {
          code: "result_duplicate",
          action: "dropped",
          messageIndex: 4,
          message: "A second result of the same call was dropped.",
        },
      ],
    });
  });

  test("a result behind a user message moves to its call", () => {
    expect(prepared([user("hi"), answer([call("a")]), user("wait"), result("a")])).toEqual([
      user("hi"),
      answer([call("a")]),
      result("a"),
      user("wait"),
    ]);
  });

  test("a result that comes after the next answer is too late", () => {
    expect(prepared([user("hi"), answer([call("a")]), answer([text("so?")]), result("a"), user("well")])).toEqual([
      user("hi"),
      answer([call("a")]),
      interrupted("a"),
      answer([text("so?")]),
      user("well"),
    ]);
  });

  test("malformed arguments are shown as none, beside the error that answered them", () => {
    const malformed = call("a", { arguments: {}, malformedArguments: '{"path' });
    expect(prepared([user("hi"), answer([malformed]), result("a")])).toEqual([
      user("hi"),
      answer([call("a", { arguments: {} })]),
      result("a"),
    ]);
  });

  test("text after a call goes before it where the API wants results at once", () => {
    const history = [user("hi"), answer([text("a"), call("1"), text("b"), call("2")]), result("1"), result("2")];
    expect(prepared(history)[1]).toEqual(answer([text("a"), text("b"), call("1"), call("2")]));
    expect(prepared(history, modelOf(GPT))[1]).toEqual(history[1]);
  });
});

describe("failed turns", () => {
  test.each(["error", "aborted"] as const)("keep what was seen of an answer that ended as %s", (stopReason) => {
    const failed = answer(
      [
        { type: "thinking", thinking: "hm", thinkingSignature: "c2ln" },
        text("I will"),
        call("whole"),
        call("cut", { arguments: {}, malformedArguments: '{"pa' }),
      ],
      { stopReason },
    );
    expect(prepared([user("hi"), failed, result("cut")])).toEqual([
      user("hi"),
      { ...failed, content: [text("I will"), call("whole")] },
      interrupted("whole"),
    ]);
  });
});

describe("blank and broken text", () => {
  test("is dropped, replaced or repaired", () => {
    const messages = prepared([
      user(""),
      answer([text(" \n"), text("ok \ud83d")]),
      user([text(""), text("a\u0000b")]),
      answer([call("a")]),
      result("a", []),
    ]);
    expect(messages).toEqual([
      user("(empty message)"),
      answer([text("ok \ufffd")]),
      user([text("ab")]),
      answer([call("a")]),
      result("a", [text("(no output)")]),
    ]);
  });

  test("half characters in arguments and their keys are replaced", () => {
    const messages = prepared([user("hi"), answer([call("a", { arguments: { "k\ud83d": ["\ude00"] } })]), result("a")]);
    expect(messages[1]).toEqual(answer([call("a", { arguments: { "k\ufffd": ["\ufffd"] } })]));
  });

  test("an answer with nothing in it is skipped", () => {
    expect(prepared([user("hi"), answer([]), user("hello?")])).toEqual([user("hi"), user("hello?")]);
  });
});

describe("the ends", () => {
  test("a history that begins or ends with an answer is bridged", () => {
    expect(prepared([answer([text("welcome")])])).toEqual([
      { ...user("(The beginning of this conversation is missing.)"), timestamp: 2 },
      answer([text("welcome")]),
      { ...user("Continue."), timestamp: 2 },
    ]);
  });

  test("answers that follow each other are bridged", () => {
    expect(
      prepared([user("hi"), answer([text("a")]), answer([text("b")]), user("c")]).map(({ content }) => content),
    ).toEqual(["hi", [text("a")], "Continue.", [text("b")], "c"]);
  });

  test("no history stays none", () => {
    expect(prepared([])).toEqual([]);
  });
});

describe("images", () => {
  const png: ImageContent = { type: "image", data: pngOfSize(2, 2), mimeType: "image/png" };
  const bmp: ImageContent = {
    type: "image",
    data: Buffer.from("BM\x3a\0\0\0\0\0\0").toString("base64"),
    mimeType: "image/png",
  };
  const shown = (content: ImageContent[], model: Model) => (prepared([user(content)], model)[0] as UserMessage).content;

  test("become one note for a model that reads text only", () => {
    const textOnly = modelOf(CLAUDE, { input: ["text"] });
    expect(prepared([user([png, png, text("and"), png])], textOnly)).toEqual([
      user([
        text("[2 images omitted: this model takes no images]"),
        text("and"),
        text("[image omitted: this model takes no images]"),
      ]),
    ]);
  });

  test("get the type that their bytes have", () => {
    expect(shown([{ ...png, mimeType: "image/jpg" }], modelOf(CLAUDE))).toEqual([png]);
    expect(shown([{ ...png, data: `data:image/png;base64,${png.data}` }], modelOf(CLAUDE))).toEqual([png]);
  });

  test("of a type that the API does not take become a note", () => {
    expect(shown([bmp], modelOf(CLAUDE))).toEqual([
      text("[image omitted: image/bmp is not a type that this model takes]"),
    ]);
  });

  test("over the size of an image become a note, a file of that size does not", () => {
    const padded = (start: string) =>
      Buffer.concat([Buffer.from(start, "base64"), Buffer.alloc(5_000_000)]).toString("base64");
    const pdf = { ...png, data: padded(Buffer.from("%PDF-1.7").toString("base64")), mimeType: "application/pdf" };
    expect(shown([{ ...png, data: padded(png.data) }, pdf], modelOf(CLAUDE))).toEqual([
      text("[image omitted: it is too large]"),
      pdf,
    ]);
  });

  test("over 8000 pixels become a note for Anthropic, and over 2000 once there are more than twenty", () => {
    const large = { ...png, data: pngOfSize(2500, 10) };
    const huge = { ...png, data: pngOfSize(8001, 10) };
    expect(shown([large, huge], modelOf(CLAUDE))).toEqual([
      large,
      text("[image omitted: it is more than 8000 pixels wide or high]"),
    ]);
    const many = shown([large, ...Array.from({ length: 20 }, () => png)], modelOf(CLAUDE));
    expect(many[0]).toEqual(
      text("[image omitted: among more than 20 images none may be over 2000 pixels wide or high]"),
    );
    expect(many.length).toBe(21);
  });

  test("beyond the size of a request give way, the oldest first", () => {
    const padding = Buffer.alloc(4_900_000 - 33 - 1_300_000);
    const heavy = { ...png, data: Buffer.concat([Buffer.from(png.data, "base64"), padding]).toString("base64") };
    const six = Array.from({ length: 6 }, () => heavy);
    expect(shown(six, modelOf(CLAUDE))).toEqual(six);
    expect(shown([...six, heavy], modelOf(CLAUDE))).toEqual([
      text("[3 images omitted: the conversation has newer ones, and too many]"),
      heavy,
      heavy,
      heavy,
      heavy,
    ]);
  });

  test("beyond the count of a request give way, the oldest first and several at once", () => {
    const hundred = Array.from({ length: 100 }, () => png);
    expect(shown(hundred, modelOf(CLAUDE))).toEqual(hundred);
    const more = shown([...hundred, png], modelOf(CLAUDE));
    expect(more[0]).toEqual(text("[21 images omitted: the conversation has newer ones, and too many]"));
    expect(more.length).toBe(81);
  });
});

describe("rubbish", () => {
  const rubbish = [
    null,
    undefined,
    3,
    "x",
    {},
    { role: "notice", content: "n" },
    { role: "user" },
    { role: "assistant", content: null },
    { role: "toolResult" },
  ];

  test("is left out without a complaint", () => {
    expect(prepared([user("hi"), ...rubbish])).toEqual([user("hi"), { role: "user", content: "(empty message)" }]);
  });

  test("in place of a history or a model is survived", () => {
    for (const value of rubbish) {
      expect(prepareTranscript(value as Message[], modelOf(CLAUDE)).messages).toEqual([]);
      expect(prepareTranscript([user("hi")], value as Model).messages).toEqual([user("hi")]);
    }
  });

  test("blocks that are none are left out", () => {
    const content = [null, { type: "video" }, { type: "toolCall", id: "a" }, text("ok")] as AssistantMessage["content"];
    expect(prepared([user("hi"), answer(content), user("and?")])[1]).toEqual(answer([text("ok")]));
  });

  test("arguments with a cycle or endless depth become null where they cannot be written", () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle["self"] = cycle;
    expect(prepared([user("hi"), answer([call("a", { arguments: cycle })]), result("a")])[1]).toEqual(
      answer([call("a", { arguments: { a: 1, self: null } })]),
    );
  });
});
