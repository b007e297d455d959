// Keeps keys out of everything that leaves the layer, and foreign bytes out of sentences.

const MASK = "[redacted]";
/** A shorter "secret" would blank out ordinary words. */
const SECRET_LENGTH_MIN = 6;
/** Well-known shapes of keys: OpenAI/Anthropic `sk-`, Google `AIza`, Groq `gsk_`, xAI `xai-`, Hugging Face `hf_`, bearer tokens. */
const KEY_SHAPES =
  /\b(?:sk-[\w-]{12,}|AIza[\w-]{20,}|gsk_\w{12,}|xai-[\w-]{12,}|hf_\w{12,})|(?<=\bBearer\s)[\w.~+/-]{8,}=*/g;

/** Replaces each of the secrets, as it is and as a URL writes it, and anything that has the shape of a key. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < SECRET_LENGTH_MIN) continue;
    clean = clean.split(secret).join(MASK);
    const encoded = urlForm(secret);
    if (encoded !== secret) clean = clean.split(encoded).join(MASK);
  }
  return clean.replace(KEY_SHAPES, MASK);
}

/** `encodeURIComponent`, which throws on a lone surrogate. */
const urlForm = (secret: string): string => encodeURIComponent(secret.replace(/\p{Surrogate}/gu, ""));

/** A foreign text as one short line: tags, control characters and runs of white space removed, cut without splitting a character. */
export function excerpt(text: string, charactersMax = 300): string {
  const plain = text
    .slice(0, 20_000)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= charactersMax) return plain;
  return `${plain.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, "")}…`;
}
