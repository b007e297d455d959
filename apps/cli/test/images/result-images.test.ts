// Images in what tools give back: of MCP servers and extensions like those that are read from files.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { replayScript, type WireRequest } from "@rondo/test-fixtures";
import { expect, test } from "vitest";
import { prepareResultImages } from "../../src/images/result-images.ts";
import { rondo } from "../command.ts";
import { serve, text, through } from "../served-model.ts";
import { temporaryFolder } from "../temporary-workspace.ts";
import { bmpOf, damagedJpeg, jpegOf, storedWith } from "./pictures.ts";

const image = (bytes: Uint8Array, mimeType = "image/png") => ({
  type: "image" as const,
  data: Buffer.from(bytes).toString("base64"),
  mimeType,
});

test("each is of a kind that models take, whatever was said of it; one that cannot be shown is a sentence", async () => {
  const content = [
    { type: "text" as const, text: "before" },
    image(bmpOf(storedWith(1))),
    image(damagedJpeg(), "image/jpeg"),
    image(Buffer.from("no image")),
  ];
  const changed = (await prepareResultImages({ result: { content, details: {} } }))?.content ?? [];
  expect(changed.map((part) => (part.type === "image" ? part.mimeType : part.text))).toEqual([
    "before",
    "image/png",
    expect.stringMatching(/^\(An image that is not shown: it .*\.\)$/),
    "(An image that is not shown: it is none of the kinds that are known.)",
  ]);
  const text = { content: content.slice(0, 1), details: {} };
  expect(await prepareResultImages({ result: text })).toBeUndefined();
  const photograph = image(jpegOf(storedWith(1), 1), "image/jpeg");
  const many = await prepareResultImages({ result: { content: Array(25).fill(photograph), details: {} } });
  expect(many?.content?.filter((part) => part.type === "image")).toHaveLength(20);
});

test("so they are in the results of an extension", async () => {
  const cwd = temporaryFolder();
  const data = Buffer.from(bmpOf(storedWith(1))).toString("base64");
  const result = { content: [{ type: "image", data, mimeType: "image/bmp" }], details: {} };
  writeFileSync(
    join(cwd, "camera.mjs"),
    `export default (rondo) => rondo.tool({ name: "camera", execute: async () => (${JSON.stringify(result)}) });`,
  );
  const seen: WireRequest[] = [];
  const bodies: unknown[] = [];
  const script = replayScript((request) => {
    seen.push(request);
    if (seen.length > 1) return text("Seen.");
    return { content: [{ type: "toolCall", id: "c", name: "camera", arguments: {} }] };
  });
  const server = await serve((request) => {
    bodies.push(request.body);
    return script(request);
  });
  await rondo(["-p", "look", ...through(server.url), "--extension", "camera.mjs", "--allow", "camera"], { cwd });
  expect(JSON.stringify(bodies[1])).toContain('"media_type":"image/png"');
  expect(JSON.stringify(bodies[1])).not.toContain("image/bmp");
});
