import { createModelLayer } from "@rondo/ai";
import { describe, expect, test } from "vitest";
import { type ObservedCall, observe, visibleTextOf } from "../../src/testing/observed-call.ts";
import { splitFrames } from "../../src/testing/wire-frames.ts";
import { WIRES } from "../contract/wires.ts";
import { type Material, ODD_ERRORS, ODD_EXCHANGES, type OddAnswer } from "./odd-answers.ts";
import { editedFrames, ODD_FRAMES } from "./odd-frames.ts";
import { withRawServer } from "./raw-server.ts";

const { streamSimple } = createModelLayer({ env: {} });
const KEY = "Rondo.odd/key+0123456789";

function materialOf(body: string, stop: RegExp): Material {
  const frames = splitFrames(body);
  const stopFrame = frames.findIndex((frame) => stop.test(frame));
  return { frames, stopFrame, before: frames.slice(0, stopFrame).join(""), whole: frames.join("") };
}

describe.each(Object.values(WIRES))("$name", ({ model, basePath = "", fixtures, stopFrame }) => {
  const material = materialOf(new TextDecoder().decode(fixtures["text"] as Uint8Array), stopFrame);
  const toolMaterial = materialOf(new TextDecoder().decode(fixtures["one-tool-call"] as Uint8Array), stopFrame);
  const call = (answer: OddAnswer["make"], from: Material, options: OddAnswer["options"] = {}): Promise<ObservedCall> =>
    withRawServer(answer(from), (origin) => {
      const context = { messages: [{ role: "user" as const, content: "Hello", timestamp: 0 }] };
      const stream = streamSimple({ ...model, baseUrl: origin + basePath }, context, { apiKey: KEY, ...options });
      return observe(stream, { secrets: [KEY], damaged: true });
    });
  const plainAnswers = new Map<Material, Promise<ObservedCall>>();
  const good = (from: Material): Promise<ObservedCall> => {
    const known =
      plainAnswers.get(from) ??
      call(() => ({ bytes: [`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${from.whole}`] }), from);
    plainAnswers.set(from, known);
    return known;
  };

  test.each([...ODD_EXCHANGES, ...ODD_ERRORS])("$name", async ({ make, ends, keeps, retryable, options }) => {
    const whole = visibleTextOf((await good(material)).message);
    const { message, faults } = await call(make, material, options);
    const kept = visibleTextOf(message);
    expect(faults).toEqual([]);
    if (ends === "done") {
      expect([message.errorMessage, message.stopReason, kept]).toEqual([undefined, "stop", whole]);
      return;
    }
    expect(ends).toContain(message.error?.kind);
    expect(message.errorMessage?.length).toBeLessThan(600);
    expect(whole.startsWith(kept)).toBe(true);
    if (keeps) expect(kept !== "").toBe(keeps === "some");
    if (retryable !== undefined) expect(message.error?.retryable).toBe(retryable);
  });

  test.each(ODD_FRAMES)("$name", async ({ edit, answer, ends }) => {
    const from = answer === "tool" ? toolMaterial : material;
    const edited = editedFrames(from.frames, edit);
    if (edited === editedFrames(from.frames, () => undefined)) return; // This API has no such field.
    const plain = await good(from);
    const { message, faults } = await call(
      () => ({ bytes: [`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${edited}`] }),
      from,
    );
    expect(faults).toEqual([]);
    if (ends !== "as it is") {
      expect(ends).toContain(message.error?.kind);
      return;
    }
    const said = (content: typeof message.content): unknown[] =>
      content.map((block) =>
        block.type === "toolCall"
          ? [block.arguments, block.malformedArguments]
          : visibleTextOf({ ...message, content: [block] }),
      );
    expect(message.errorMessage).toBeUndefined();
    expect(said(message.content)).toEqual(said(plain.message.content));
    expect(message.stopReason).toBe(plain.message.stopReason);
    expect(() => JSON.stringify(message)).not.toThrow();
    for (const block of message.content) {
      if (block.type === "toolCall") expect([typeof block.id, block.id]).not.toContain("[object Object]");
    }
  });
});
