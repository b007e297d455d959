// What servers find out about the images of a request by looking at their bytes.
import type { Violations } from "./violations.ts";

/** Limits of an API on images. Sizes are in characters of base64. */
export interface ImageRules {
  types: readonly string[];
  sizeMax: number;
  sideMax: number;
  countMax: number;
  /** Sides allowed once there are more images than `count`. */
  crowd?: { count: number; sideMax: number };
}

/** Looks at each image of a request in turn. */
export class ImageInspector {
  readonly #rules: ImageRules;
  readonly #violations: Violations;
  readonly #sides: { path: string; side: number }[] = [];

  constructor(rules: ImageRules, violations: Violations) {
    this.#rules = rules;
    this.#violations = violations;
  }

  /** Checks one image or PDF. */
  inspect(mimeType: unknown, data: unknown, path: string): void {
    const { types, sizeMax, sideMax } = this.#rules;
    if (typeof data !== "string" || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
      this.#violations.add(path, "is no base64");
      return;
    }
    const found = look(Buffer.from(data, "base64"));
    if (mimeType === "application/pdf") {
      this.#violations.check(found?.mimeType === "application/pdf", path, "is no PDF");
      return;
    }
    this.#violations.oneOf(mimeType, `${path} type`, types);
    this.#violations.check(
      found?.mimeType === mimeType,
      path,
      `is ${found?.mimeType ?? "no image"}, not ${String(mimeType)}`,
    );
    this.#violations.check(data.length <= sizeMax, path, `is larger than ${sizeMax}`);
    this.#violations.check((found?.side ?? 0) <= sideMax, path, `has a side of more than ${sideMax} pixels`);
    this.#sides.push({ path, side: found?.side ?? 0 });
  }

  /** Checks what depends on all images together. */
  finish(): void {
    const { countMax, crowd } = this.#rules;
    this.#violations.check(this.#sides.length <= countMax, "body", `has more than ${countMax} images`);
    if (!crowd || this.#sides.length <= crowd.count) return;
    for (const { path, side } of this.#sides) {
      this.#violations.check(
        side <= crowd.sideMax,
        path,
        `has a side of more than ${crowd.sideMax} pixels among many images`,
      );
    }
  }
}

/** Type and longest side by magic numbers; only PNG and GIF sides are read, which is what the fixtures are made of. */
function look(bytes: Buffer): { mimeType: string; side: number } | undefined {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG")) {
    return {
      mimeType: "image/png",
      side: bytes.length >= 24 ? Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : 0,
    };
  }
  if (start.startsWith("GIF8")) {
    return {
      mimeType: "image/gif",
      side: bytes.length >= 10 ? Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : 0,
    };
  }
  if (start.startsWith("\xff\xd8\xff")) return { mimeType: "image/jpeg", side: 0 };
  if (start.startsWith("RIFF") && start.slice(8) === "WEBP") return { mimeType: "image/webp", side: 0 };
  return start.startsWith("%PDF-") ? { mimeType: "application/pdf", side: 0 } : undefined;
}

/** Reads a `data:` URL into its type and its base64. */
export function readDataUrl(url: unknown): { mimeType: string; data: string } | undefined {
  const found = typeof url === "string" ? /^data:([a-z]+\/[a-z.+-]+);base64,(.*)$/s.exec(url) : null;
  return found ? { mimeType: found[1] ?? "", data: found[2] ?? "" } : undefined;
}
