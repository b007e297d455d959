// What each API takes of a history, as data: the facts that the preparation asks for, so that it names no vendor.
// Sources: the vendors' API references and vision guides as of November 2026.
import type { Model } from "../types.ts";

/** Limits on the images of one request. Sides are in pixels, sizes in characters of base64. */
export interface ImageLimits {
  /** MIME types of images; PDFs go by the model's `input` alone. */
  types: readonly string[];
  sizeMax: number;
  sideMax: number;
  countMax: number;
  totalSizeMax: number;
  /** With more than `count` images in a request, no side may be longer than `sideMax`. */
  crowd?: { count: number; sideMax: number };
}

/** What a history must be like for the API that will read it. */
export interface TargetRules {
  callId: RegExp;
  /** Makes an id that `callId` matches out of 13 characters of `[0-9a-z]`. */
  mintCallId: (hash: string) => string;
  /** Tool results follow the calls at once, so no text may stand after a call. */
  callsEndTheTurn: boolean;
  /** Signed thinking may be the last of an answer; elsewhere it is refused without what it led to. */
  thinkingMayEndTheTurn: boolean;
  images: ImageLimits;
}

const MEGABYTE = 1024 * 1024;
const WEB_IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
const mintCallId = (hash: string) => `call_${hash}`;

const anthropic: TargetRules = {
  callId: /^[a-zA-Z0-9_-]{1,64}$/,
  mintCallId,
  callsEndTheTurn: true,
  thinkingMayEndTheTurn: false,
  images: {
    types: WEB_IMAGES,
    sizeMax: 5 * MEGABYTE,
    sideMax: 8000,
    countMax: 100,
    totalSizeMax: 28 * MEGABYTE,
    crowd: { count: 20, sideMax: 2000 },
  },
};

const openaiImages: ImageLimits = {
  types: WEB_IMAGES,
  sizeMax: 20 * MEGABYTE,
  sideMax: 30_000,
  countMax: 500,
  totalSizeMax: 45 * MEGABYTE,
};

const RULES: Record<string, TargetRules> = {
  "anthropic-messages": anthropic,
  "openai-completions": {
    callId: /^[\x21-\x7e]{1,40}$/,
    mintCallId,
    callsEndTheTurn: false,
    thinkingMayEndTheTurn: false,
    images: openaiImages,
  },
  "openai-responses": {
    callId: /^[\x21-\x7e]{1,64}$/,
    mintCallId,
    callsEndTheTurn: false,
    thinkingMayEndTheTurn: false,
    images: openaiImages,
  },
  "google-generative-ai": {
    callId: /^[\x21-\x7e]{1,256}$/,
    mintCallId,
    callsEndTheTurn: false,
    thinkingMayEndTheTurn: true,
    images: {
      types: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
      sizeMax: 15 * MEGABYTE,
      sideMax: 30_000,
      countMax: 3000,
      totalSizeMax: 18 * MEGABYTE,
    },
  },
};

/** Mistral takes ids of exactly nine letters and digits. */
const SHORT_CALL_ID = { callId: /^[a-zA-Z0-9]{9}$/, mintCallId: (hash: string) => hash.slice(-9) };

/** The rules for a model. An API that is not ours gets the strictest. */
export function targetRules(model: Model): TargetRules {
  const rules = RULES[model.api] ?? anthropic;
  return model.quirks?.shortToolCallIds === true ? { ...rules, ...SHORT_CALL_ID } : rules;
}
