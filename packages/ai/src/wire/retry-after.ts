// How long a provider asks to be left alone, from its headers or its body. What cannot be read is no answer, never a guess.

/** When limits are lifted, in the headers of vendors that send no Retry-After: the rest of the allowance beside the time of renewal. */
const ALLOWANCES = [
  // OpenAI and its followers: "6m0s", "20ms" (docs "Rate limits", 2025)
  ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  ["x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
  // Anthropic: a date (docs "Rate limits", 2025)
  ["anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"],
  ["anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"],
  ["anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"],
  ["anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"],
  // OpenRouter and GitHub: milliseconds or seconds since 1970
  ["x-ratelimit-remaining", "x-ratelimit-reset"],
] as const;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A number below this is a time span, above it a moment in seconds since 1970 (2001), far above it one in milliseconds. */
const EPOCH_SECONDS_MIN = 1e9;
const EPOCH_MILLISECONDS_MIN = 1e12;
const DEPTH_MAX = 6;
/** The beginning of a date of HTTP or of ISO 8601. `Date.parse` alone finds dates in all sorts of words and numbers. */
const DATE = /^\s*(?:[a-z]{3,9},? +\d|[a-z]{3} [a-z]{3} +\d|\d{1,2}[ -][a-z]{3}|\d{4}-\d\d-\d\d)/i;
/** A longer wait is a mistake of the server's and says nothing: a year. */
const WAIT_MAX_MS = 366 * 86_400_000;

/**
 * Milliseconds to wait, from Retry-After-Ms, Retry-After (seconds or a date), the vendors' own headers or the body, in this order;
 * undefined if the provider did not say.
 *
 * @param now milliseconds since 1970, to read a date
 */
export function retryAfterOf(headers: Headers | undefined, payload: unknown, now: number): number | undefined {
  const wait = askedWait(headers, payload, now);
  return wait !== undefined && wait <= WAIT_MAX_MS ? wait : undefined;
}

function askedWait(headers: Headers | undefined, payload: unknown, now: number): number | undefined {
  const milliseconds = numberOf(headers?.get("retry-after-ms"));
  if (milliseconds !== undefined) return Math.round(milliseconds);
  const seconds = spanOf(headers?.get("retry-after"), now) ?? spanOf(headers?.get("x-ratelimit-reset-after"), now);
  return seconds ?? hintIn(payload, now, 0) ?? (headers && renewalIn(headers, now));
}

function numberOf(text: unknown): number | undefined {
  if (typeof text !== "number" && (typeof text !== "string" || text.trim() === "")) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Seconds, "1m30.5s", a moment since 1970 or a date → milliseconds from now. */
function spanOf(text: unknown, now: number): number | undefined {
  const value = numberOf(text);
  if (value !== undefined) {
    if (value >= EPOCH_MILLISECONDS_MIN) return Math.max(0, Math.round(value - now));
    return value >= EPOCH_SECONDS_MIN ? Math.max(0, Math.round(value * 1000 - now)) : Math.round(value * 1000);
  }
  if (typeof text !== "string") return undefined;
  const duration = durationOf(text.trim());
  if (duration !== undefined) return duration;
  const date = DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** "1m30.5s", "17s", "250ms" → milliseconds. */
function durationOf(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    sum += Number(amount) * (UNIT_MS[unit ?? "s"] ?? 0);
  return Math.round(sum);
}

/** Of the allowances that are used up, the one that comes back last. */
function renewalIn(headers: Headers, now: number): number | undefined {
  const spans = ALLOWANCES.filter(([remaining]) => numberOf(headers.get(remaining)) === 0).map(([, reset]) =>
    spanOf(headers.get(reset), now),
  );
  const known = spans.filter((span) => span !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** Google's `{"@type": "…RetryInfo", "retryDelay": "17s"}`, a field `retry_after`, or the words "try again in 1m12.5s". */
function hintIn(payload: unknown, now: number, depth: number): number | undefined {
  if (typeof payload === "string") return hintInWords(payload);
  if (depth > DEPTH_MAX || typeof payload !== "object" || payload === null) return undefined;
  for (const [name, value] of Object.entries(payload)) {
    const field = name.toLowerCase().replace(/[^a-z]/g, "");
    const hint =
      field === "retryafterms"
        ? numberOf(value)
        : field === "retrydelay" ||
            field === "retryafter" ||
            field === "retryafterseconds" ||
            field === "xratelimitreset"
          ? spanOf(value, now)
          : typeof value === "object"
            ? hintIn(value, now, depth + 1)
            : undefined;
    if (hint !== undefined) return Math.round(hint);
  }
  const message = (payload as { message?: unknown }).message;
  return typeof message === "string" ? hintInWords(message) : undefined;
}

function hintInWords(text: string): number | undefined {
  const said =
    /(?:try again|retry|wait)(?: in| after)? ((?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?)(?![a-z]) ?)+)/i;
  const match = said.exec(text)?.[1];
  if (!match) return undefined;
  const short = match
    .toLowerCase()
    .replace(/milliseconds?/g, "ms")
    .replace(/sec(?:ond)?s?/g, "s")
    .replace(/min(?:ute)?s?/g, "m")
    .replace(/hours?/g, "h")
    .replace(/\s/g, "");
  return durationOf(short);
}
