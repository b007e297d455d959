import { describe, expect, it } from "vitest";
import { SseReader } from "../../src/wire/sse.ts";

interface Read {
  frames: [event: string, data: string][];
  cutInside: boolean;
  damaged: boolean;
  stray: string;
}

function read(chunks: readonly (string | Uint8Array)[]): Read {
  const frames: [string, string][] = [];
  const reader = new SseReader((event, data) => frames.push([event, data]));
  const encoder = new TextEncoder();
  for (const chunk of chunks) reader.feed(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  const cutInside = reader.end();
  return { frames, cutInside, damaged: reader.damaged, stray: reader.strayText };
}

const TEXT = 'event: a\ndata: {"delta":"aß北🎵"}\n\n: comment\n\ndata: {"x":1}\n\n';
const FRAMES: Read["frames"] = [
  ["a", '{"delta":"aß北🎵"}'],
  ["message", '{"x":1}'],
];

describe("SseReader", () => {
  it("reads the same whether bytes come whole, one by one, or cut in two at any place", () => {
    const bytes = new TextEncoder().encode(TEXT);
    const whole = { frames: FRAMES, cutInside: false, damaged: false, stray: "" };
    expect(read([bytes])).toEqual(whole);
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    for (let at = 0; at <= bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  });

  it("takes CRLF, CR, a BOM, and fields without a space, cut anywhere", () => {
    for (const text of [
      TEXT.replaceAll("\n", "\r\n"),
      TEXT.replaceAll("\n", "\r"),
      `\ufeff${TEXT}`,
      TEXT.replaceAll(": ", ":"),
    ]) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at <= bytes.length; at++)
        expect(read([bytes.subarray(0, at), bytes.subarray(at)]).frames).toEqual(FRAMES);
    }
  });

  it("joins the data lines of one event", () => {
    expect(read(["data: {\ndata: }\n\n"]).frames).toEqual([["message", "{\n}"]]);
  });

  it("takes an event whose last blank line is missing", () => {
    for (const tail of ["", "\n", "\r\n"])
      expect(read([`data: {"x":1}${tail}`])).toMatchObject({ frames: [["message", '{"x":1}']], cutInside: false });
  });

  it("knows a body that stopped inside an event from one that stopped between two", () => {
    const good = 'data: {"x":1}\n\n';
    for (const rest of ["", "\n", ": comment", ": a\n: b\n", "  \n"])
      expect([rest, read([good + rest]).cutInside]).toEqual([rest, false]);
    for (const rest of [
      "d",
      "data",
      "data:",
      "data: ",
      "data: \n",
      "event: message_stop",
      "event: message_stop\n",
      "id: 4\n",
      "ev",
      `event: ${"x".repeat(400)}`,
    ])
      expect([rest, read([good + rest]).cutInside]).toEqual([rest, true]);
  });

  it("keeps text that is no event, and tells damage from fields that the standard lets pass", () => {
    expect(read(["<html>\n<b>502</b>\n</html>"])).toMatchObject({
      frames: [],
      damaged: true,
      stray: "<html>\n<b>502</b>\n</html>",
    });
    expect(read(["Internal Server Error"])).toMatchObject({ damaged: true });
    expect(read(['{\n  "error": {}\n}\n'])).toMatchObject({ damaged: true, stray: '{\n  "error": {}\n}' });
    expect(read(["cost: 5\ndata: {}\n\n"])).toMatchObject({
      frames: [["message", "{}"]],
      damaged: false,
      stray: "cost: 5",
    });
  });

  it("takes bare lines of JSON for events, as they come", () => {
    const lines: string[] = [];
    const reader = new SseReader((event, data) => lines.push(`${event} ${data}`));
    const feed = (text: string) => reader.feed(new TextEncoder().encode(text));
    feed('{"a":1}\n{"b"');
    expect(lines).toEqual(['message {"a":1}']);
    feed(':2}\r\n\n: still here\n{"c":3}');
    expect(lines).toEqual(['message {"a":1}', 'message {"b":2}']);
    expect(reader.end()).toBe(false);
    expect(lines.at(-1)).toBe('message {"c":3}');
    expect([reader.bare, reader.damaged, reader.frames]).toEqual([true, false, 3]);
    expect(read(['{"a":1}\n']).cutInside).toBe(false);
    expect(read(['{"a":1}\nda']).cutInside).toBe(true);
    expect(read(['{"a":1}\nBad Gateway\n']).damaged).toBe(true);
    expect(read(['data: {}\n\n{"a":1}\n'])).toMatchObject({ frames: [["message", "{}"]], damaged: true });
  });

  it("passes over NULs and byte order marks before a line, and keeps those within one", () => {
    const body = '\0\0data: "a\uFEFF\0"\n\n\uFEFF\0data: 2\n\n\0';
    const bytes = new TextEncoder().encode(body);
    const whole = read([body]);
    expect(whole).toMatchObject({
      frames: [
        ["message", '"a\uFEFF\0"'],
        ["message", "2"],
      ],
      damaged: false,
    });
    for (let at = 1; at < bytes.length; at++) {
      const frames: [string, string][] = [];
      const reader = new SseReader((event, data) => frames.push([event, data]));
      reader.feed(bytes.subarray(0, at));
      reader.feed(bytes.subarray(at));
      expect([at, reader.end(), frames, reader.damaged]).toEqual([at, false, whole.frames, false]);
    }
  });

  it("passes over events without data", () => {
    expect(read(["event: ping\n\ndata:\n\ndata: 1\n\n"]).frames).toEqual([["message", "1"]]);
  });

  it("gives up on a line beyond all measure instead of filling the memory", () => {
    const reader = new SseReader(() => {});
    const chunk = new Uint8Array(1024 * 1024).fill(120);
    for (let count = 0; count < 70 && !reader.overlong; count++) reader.feed(chunk);
    expect(reader.overlong).toBe(true);
    reader.feed(chunk);
    expect(reader.end()).toBe(true);
  });
});
