// Images as they reach a model: upright whatever the camera noted, within the limits, and of a kind that all providers take. The pixels
// that come out are looked at.
import { PhotonImage } from "@silvia-odwyer/photon-node";
import { expect, test } from "vitest";
import { imageType } from "../../src/images/image-type.ts";
import { prepareImage } from "../../src/images/prepare-image.ts";
import { bmpOf, CORNERS, colourAt, damagedJpeg, hugePng, jpegOf, noisyPng, storedWith, tiffOf } from "./pictures.ts";

async function prepared(bytes: Uint8Array) {
  const image = await prepareImage(bytes);
  if (!image) throw new Error("It was not taken for an image.");
  const { data, mimeType } = image.content;
  const out = Buffer.from(data, "base64");
  const picture = PhotonImage.new_from_byteslice(out);
  return { out, mimeType, picture, description: image.description, size: [picture.get_width(), picture.get_height()] };
}

const corners = (picture: PhotonImage) => CORNERS.map(([x, y]) => colourAt(picture, x, y));

test.each([1, 2, 3, 4, 5, 6, 7, 8])("a photograph with orientation %i is upright", async (orientation) => {
  const { picture, size, mimeType, description } = await prepared(jpegOf(storedWith(orientation), orientation));
  expect([size, corners(picture), mimeType]).toEqual([[48, 32], ["red", "green", "blue", "white"], "image/jpeg"]);
  expect(description.includes("turned upright")).toBe(orientation !== 1);
});

test("what is as it should be goes as it is, byte for byte", async () => {
  const bytes = jpegOf(storedWith(1), 1);
  const { out, description } = await prepared(bytes);
  expect(out.equals(bytes)).toBe(true);
  expect(description).toMatch(/^image\/jpeg, 48×32 pixels, [\d.]+ (K?B)$/);
});

test.each([
  ["image/bmp", bmpOf],
  ["image/tiff", tiffOf],
])("%s becomes PNG, without loss", async (type, encode) => {
  const bytes = encode(storedWith(1));
  expect(imageType(bytes)).toBe(type);
  const { mimeType, picture, size } = await prepared(bytes);
  expect([mimeType, size, corners(picture)]).toEqual(["image/png", [48, 32], ["red", "green", "blue", "white"]]);
});

test("an image that is too long is made smaller and keeps its shape", async () => {
  const { size, description, mimeType } = await prepared(
    new PhotonImage(new Uint8Array(4000 * 100 * 4).fill(255), 4000, 100).get_bytes(),
  );
  expect([size, mimeType]).toEqual([[2000, 50], "image/png"]);
  expect(description).toContain("image/png, 4000×100 pixels");
  expect(description).toContain("; shown 2000×50 pixels, image/png");
});

test("an image that is too large in bytes becomes a JPEG, with white where it was see-through", async () => {
  let turns = 0;
  let isDone = false;
  const bytes = noisyPng();
  const image = prepared(bytes).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve));
  const { out, mimeType, picture } = await image;
  // Meanwhile the thread of the command had time for others.
  expect(turns).toBeGreaterThan(100);
  expect([mimeType, out.length < 3_700_000, colourAt(picture, 0, 0)]).toEqual(["image/jpeg", true, "white"]);
});

test.each([
  ["one that claims more pixels than a machine has room for", hugePng(), "60000×60000 pixels, which are too many"],
  ["a damaged one that would have to be changed", damagedJpeg(), "it cannot be decoded"],
  ["one whose head alone is there", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "its size cannot be read"],
])("%s is refused in words", async (_name, bytes, problem) => {
  await expect(prepareImage(bytes)).rejects.toThrow(problem);
});

test("texts and binaries are no images", async () => {
  for (const text of ["BMW is a maker of cars and of motorcycles", "II", "", "\x00\x00\x00\x20ftypisom"])
    expect(await prepareImage(Buffer.from(text, "latin1"))).toBeUndefined();
});
