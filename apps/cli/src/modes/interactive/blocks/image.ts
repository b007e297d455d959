// A picture, where the terminal can show one; else its kind and size. The only block that writes something else than text and
// styles, so it draws nothing but base64 of a known kind.
import { getCapabilities, Image } from "@earendil-works/pi-tui";
import type { ImageContent } from "@rondo/ai";
import { cleanForScreen } from "../../../terminal/escape.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";

const COLUMNS_MAX = 60;
const ROWS_MAX = 20;
/** Larger pictures would hold up the terminal each time that they are drawn again. */
const CHARACTERS_MAX = 2_000_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The kitty protocol takes PNG alone. */
const KINDS = { kitty: ["image/png"], iterm2: ["image/png", "image/jpeg", "image/gif", "image/webp"] };

/** One picture. */
export class ImageBlock extends LinesBlock {
  readonly isFinished = true;
  readonly #view: View;
  readonly #image: ImageContent;
  readonly #picture: Image | undefined;

  constructor(view: View, image: ImageContent) {
    super();
    this.#view = view;
    this.#image = image;
    if (canDraw(image)) {
      const options = { maxWidthCells: COLUMNS_MAX, maxHeightCells: ROWS_MAX };
      this.#picture = new Image(image.data, image.mimeType, { fallbackColor: (text) => text }, options);
    }
  }

  protected draw(width: number): string[] {
    if (this.#picture) return ["", ...this.#picture.render(width)];
    const bytes = Math.round((this.#image.data.length * 3) / 4);
    const text = `[${cleanForScreen(this.#image.mimeType)}, ${Math.ceil(bytes / 1024)} KB]`;
    return ["", this.#view.theme.paint("muted", `  ${text}`)];
  }
}

function canDraw({ data, mimeType }: ImageContent): boolean {
  const protocol = getCapabilities().images;
  return protocol !== null && KINDS[protocol].includes(mimeType) && data.length <= CHARACTERS_MAX && BASE64.test(data);
}
