// Keeps keys out of everything that leaves the layer, and foreign bytes out of sentences.

const MASK = "[redacted]";
/** A shorter "secret" would blank out ordinary words. */
const SECRET_LENGTH_MIN = 6;
/** Well-known shapes of keys: OpenAI/Anthropic `sk-`, Google `AIza`, Groq `gsk_`, xAI `xai-`, Hugging Face `hf_`, bearer tokens. */
const KEY_SHAPES =
  /\b(?:sk-[\w-]{12,}|AIza[\w-]{20,}|gsk_\w{12,}|xai-[\w-]{12,}|hf_\w{12,})|(?<=\bBearer\s)[\w.~+/-]{8,}=*/g;

/** Replaces each of the secrets, however it is written, and anything that has the shape of a key. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < SECRET_LENGTH_MIN) continue;
    for (const form of formsOf(secret)) clean = clean.split(form).join(MASK);
  }
  return clean.replace(KEY_SHAPES, MASK);
}

/**
 * Takes the secrets out of short texts that a server sends beside its answer, such as ids. What only looks like a key stays, since ids and
 * opaque data are made of the same letters.
 */
export function concealer(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    .flatMap((secret) => [...formsOf(secret)]);
  return (text) => forms.reduce((clean, form) => clean.split(form).join(MASK), text);
}

/** A secret as it is, and as URLs, forms, JSON, HTML and base64 write it. */
function formsOf(secret: string): Set<string> {
  const sound = secret.replace(/\p{Surrogate}/gu, ""); // encodeURIComponent throws on a lone one
  const escaped = [encodeURIComponent(sound), new URLSearchParams({ "": sound }).toString().slice(1)];
  const html = [/'/g, /[<>"']/g].map((signs) =>
    secret.replaceAll("&", "&amp;").replace(signs, (sign) => `&#${sign.charCodeAt(0)};`),
  );
  return new Set([
    secret,
    ...escaped,
    ...escaped.map((form) => form.replace(/%../g, (code) => code.toLowerCase())),
    ...html,
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    JSON.stringify(secret).slice(1, -1),
    ...base64Forms(sound),
  ]);
}

/** A secret inside of base64, at each of the three places where it may begin: alone, behind a user name, behind a scheme. */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const plain = [0, 1, 2].map((before) => {
    const whole = btoa("-".repeat(before) + binary);
    // The characters at both ends hold bits of what stands around the secret.
    return whole.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [...plain, ...plain.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

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
