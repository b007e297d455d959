// Small pictures for tests, made here byte by byte: one with a colour in each corner, stored as a camera would that was held in one of
// eight ways, and some that are not as they should be.
import { PhotonImage } from "@silvia-odwyer/photon-node";

/** Pixels in rows, each a colour. */
interface Picture {
  width: number;
  height: number;
  colourOf: (x: number, y: number) => Colour;
}

type Colour = keyof typeof COLOURS;

const COLOURS = { red: [255, 0, 0], green: [0, 160, 0], blue: [0, 0, 255], white: [255, 255, 255] } as const;
const [WIDTH, HEIGHT] = [48, 32];

/** A place within each quarter of the upright picture: above left, above right, below left, below right. */
export const CORNERS = [
  [4, 4],
  [WIDTH - 5, 4],
  [4, HEIGHT - 5],
  [WIDTH - 5, HEIGHT - 5],
] as const;

/** Which side of what one sees the first row and the first column of the file are, by the table of EXIF 2.3. */
const SIDES: Record<number, [row: string, column: string]> = {
  1: ["top", "left"],
  2: ["top", "right"],
  3: ["bottom", "right"],
  4: ["bottom", "left"],
  5: ["left", "top"],
  6: ["right", "top"],
  7: ["right", "bottom"],
  8: ["left", "bottom"],
};

/** The picture as it is stored with an orientation: red, green, blue and white are above left to below right for whoever looks at it. */
export function storedWith(orientation: number): Picture {
  const [row = "", column = ""] = SIDES[orientation] ?? [];
  const isTurned = row === "left" || row === "right";
  const [width, height] = isTurned ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  const opposite: Record<string, string> = { top: "bottom", bottom: "top", left: "right", right: "left" };
  return {
    width,
    height,
    colourOf: (x, y) => {
      const seen = [y < height / 2 ? row : opposite[row], x < width / 2 ? column : opposite[column]];
      if (seen.includes("top")) return seen.includes("left") ? "red" : "green";
      return seen.includes("left") ? "blue" : "white";
    },
  };
}

/** The nearest of the colours at a place. */
export function colourAt(picture: PhotonImage, x: number, y: number): Colour {
  const at = (y * picture.get_width() + x) * 4;
  const [red = 0, green = 0, blue = 0] = picture.get_raw_pixels().subarray(at, at + 3);
  const distance = (colour: Colour) => {
    const [r, g, b] = COLOURS[colour];
    return Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue);
  };
  return (Object.keys(COLOURS) as Colour[]).reduce((best, colour) =>
    distance(colour) < distance(best) ? colour : best,
  );
}

/** All pixels, each as so many bytes. */
function pixels(
  { width, height, colourOf }: Picture,
  encode: (red: number, green: number, blue: number) => number[],
): number[] {
  return Array.from({ length: width * height }, (_, index) => {
    const [red, green, blue] = COLOURS[colourOf(index % width, Math.floor(index / width))];
    return encode(red, green, blue);
  }).flat();
}

/** A JPEG with the orientation in its EXIF data. */
export function jpegOf(picture: Picture, orientation: number): Buffer {
  const raw = Uint8Array.from(pixels(picture, (red, green, blue) => [red, green, blue, 255]));
  const jpeg = Buffer.from(new PhotonImage(raw, picture.width, picture.height).get_bytes_jpeg(95));
  return Buffer.concat([jpeg.subarray(0, 2), exif(orientation), jpeg.subarray(2)]);
}

/** An APP1 segment with one entry: tag 0x0112, a short. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.from(`4d4d002a00000008${"0001"}${"01120003000000010000"}${"0000"}${"00000000"}`, "hex");
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** A bitmap of 24 bits; its rows go from the bottom up, and each of these is a multiple of four bytes long. */
export function bmpOf({ width, height, colourOf }: Picture): Buffer {
  const head = Buffer.alloc(54);
  const upsideDown = { width, height, colourOf: (x: number, y: number) => colourOf(x, height - 1 - y) };
  const body = Buffer.from(pixels(upsideDown, (red, green, blue) => [blue, green, red]));
  head.write("BM", "latin1");
  head.writeUInt32LE(head.length + body.length, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.writeUInt32LE(body.length, 34);
  return Buffer.concat([head, body]);
}

/** A TIFF of one strip without compression. */
export function tiffOf(picture: Picture): Buffer {
  const { width, height } = picture;
  const body = Buffer.from(pixels(picture, (red, green, blue) => [red, green, blue]));
  const [SHORT, LONG] = [3, 4];
  const bits = 8 + body.length;
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 3, bits],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, 8],
    [277, SHORT, 1, 3],
    [278, LONG, 1, height],
    [279, LONG, 1, body.length],
  ];
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [index, [tag, type, count, value]] of tags.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  const head = Buffer.from("49492a0000000000", "hex");
  head.writeUInt32LE(bits + 6, 4);
  return Buffer.concat([head, body, Buffer.from("080008000800", "hex"), directory]);
}

/** A PNG of a few bytes whose head tells of 3,600 million pixels. */
export function hugePng(): Buffer {
  const png = Buffer.from(new PhotonImage(new Uint8Array(4), 1, 1).get_bytes());
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  return png;
}

/** A JPEG that has to be turned and whose picture is not there. */
export function damagedJpeg(): Buffer {
  const jpeg = jpegOf(storedWith(6), 6);
  return jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])));
}

/** A PNG of several megabytes, see-through above left, otherwise without order and so hardly to be compressed. */
export function noisyPng(): Buffer {
  const [width, height] = [1200, 1000];
  const raw = new Uint8Array(width * height * 4);
  let state = 1;
  for (let at = 0; at < raw.length; at += 4) {
    const isClear = at % (width * 4) < 400 && at < width * 400;
    for (let part = 0; part < 3; part++) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      raw[at + part] = isClear ? 0 : state >> 16;
    }
    raw[at + 3] = isClear ? 0 : 255;
  }
  return Buffer.from(new PhotonImage(raw, width, height).get_bytes());
}
