// The worker that changes one image: decodes it, makes it smaller, turns it upright, encodes it. In a thread of its own, since that
// takes a second for a large photograph, and since a damaged image can bring the decoder down. Plain JavaScript: a worker is started
// from a file, and Node 20 reads no TypeScript.
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

/** @typedef {import("@silvia-odwyer/photon-node").PhotonImage} PhotonImage */

/** @type {typeof import("@silvia-odwyer/photon-node")} */
const photon = createRequire(import.meta.url)("@silvia-odwyer/photon-node");

/** Where a pixel of the upright picture stands in the stored one of w × h pixels, by the orientation of EXIF 2.3, section 4.6.4 A. */
const PLACES = [
  undefined,
  (x, y) => [x, y],
  (x, y, w) => [w - 1 - x, y],
  (x, y, w, h) => [w - 1 - x, h - 1 - y],
  (x, y, _w, h) => [x, h - 1 - y],
  (x, y) => [y, x],
  (x, y, _w, h) => [y, h - 1 - x],
  (x, y, w, h) => [w - 1 - y, h - 1 - x],
  (x, y, w) => [w - 1 - y, x],
];
/** From this one on the sides change places. */
const FIRST_TURNED = 5;

/** JPEG qualities that are tried until one is small enough, and then each again at three quarters of the size. */
const QUALITIES = [90, 75];
const SHRINKS_MAX = 6;

/** @param {PhotonImage} image @param {number} orientation */
function upright(image, orientation) {
  const place = PLACES[orientation];
  if (orientation === 1 || place === undefined) return image;
  const [w, h] = [image.get_width(), image.get_height()];
  const stored = new Uint32Array(Uint8Array.from(image.get_raw_pixels()).buffer);
  const [width, height] = orientation >= FIRST_TURNED ? [h, w] : [w, h];
  const turned = new Uint32Array(stored.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [storedX = 0, storedY = 0] = place(x, y, w, h);
      turned[y * width + x] = stored[storedY * w + storedX] ?? 0;
    }
  return new photon.PhotonImage(new Uint8Array(turned.buffer), width, height);
}

/** @param {PhotonImage} image @param {number} edgeMax */
function within(image, edgeMax) {
  const [w, h] = [image.get_width(), image.get_height()];
  const scale = edgeMax / Math.max(w, h);
  if (scale >= 1) return image;
  const side = (length) => Math.max(1, Math.round(length * scale));
  return photon.resize(image, side(w), side(h), photon.SamplingFilter.Lanczos3);
}

/** JPEG knows no transparency: what is see-through becomes white. @param {PhotonImage} image */
function onWhite(image) {
  const pixels = Uint8Array.from(image.get_raw_pixels());
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = (pixels[at + 3] ?? 255) / 255;
    if (alpha === 1) continue;
    for (let part = at; part < at + 3; part++)
      pixels[part] = Math.round((pixels[part] ?? 0) * alpha + 255 * (1 - alpha));
    pixels[at + 3] = 255;
  }
  return new photon.PhotonImage(pixels, image.get_width(), image.get_height());
}

/** The first encoding that is small enough: without loss where the image had none, then JPEG, then a smaller JPEG. */
function encode(image, isPhotograph, bytesMax) {
  const made = (bytes, mimeType, of) => ({ bytes, mimeType, width: of.get_width(), height: of.get_height() });
  if (!isPhotograph) {
    const bytes = image.get_bytes();
    if (bytes.length <= bytesMax) return made(bytes, "image/png", image);
  }
  let opaque = onWhite(image);
  for (let shrinks = 0; shrinks < SHRINKS_MAX; shrinks++) {
    for (const quality of QUALITIES) {
      const bytes = opaque.get_bytes_jpeg(quality);
      if (bytes.length <= bytesMax) return made(bytes, "image/jpeg", opaque);
    }
    opaque = within(opaque, Math.round(Math.max(opaque.get_width(), opaque.get_height()) * 0.75));
  }
  throw new Error("no encoding of it is small enough");
}

const { bytes, orientation, edgeMax, bytesMax, isPhotograph } = workerData;
const image = photon.PhotonImage.new_from_byteslice(bytes);
parentPort?.postMessage(encode(upright(within(image, edgeMax), orientation), isPhotograph, bytesMax));
