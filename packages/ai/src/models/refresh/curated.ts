// Facts that no source has, by hand: which models they hold for, and where they come from.
// When a vendor brings out a new family, look here first.
import type { Quirks, ThinkingLevel } from "../../types.ts";
import type { ModelEntry } from "../entry.ts";

interface CuratedRule {
  providers: readonly string[];
  ids: RegExp;
  quirks?: Quirks;
  input?: readonly "pdf"[];
  levels?: Partial<Record<ThinkingLevel, string | null>>;
  cost?: ModelEntry["cost"];
}

const RULES: readonly CuratedRule[] = [
  {
    // "Thought signatures", Gemini API documentation, November 2025: calls that another model made carry this in their place.
    providers: ["google", "google-vertex"],
    ids: /^gemini-([3-9]|(flash|flash-lite|pro)-latest)/,
    quirks: { thoughtSignatureStandIn: "skip_thought_signature_validator" },
  },
  {
    // "Structured outputs", Gemini API documentation, November 2025: a schema beside tools came with Gemini 3.
    providers: ["google", "google-vertex"],
    ids: /^gemini-2/,
    quirks: { responseSchemaWithTools: false },
  },
  {
    // "Gemini thinking", 2025: 2.5 Pro cannot be told not to think.
    providers: ["google", "google-vertex"],
    ids: /^gemini-2\.5-pro/,
    levels: { off: null },
  },
  { providers: ["google", "google-vertex"], ids: /^gemini-/, input: ["pdf"] },
  {
    // Gemma on the Gemini API has a free tier and no other (Gemini API pricing, 2026).
    providers: ["google"],
    ids: /^gemma-/,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  },
  {
    // models.dev says so of the first one (July 2026); its successors too cannot be told not to think.
    providers: ["anthropic"],
    ids: /^claude-fable-/,
    quirks: { supportsTemperature: false },
  },
  {
    // "What's new in Claude Opus 5" and the migration guides of Sonnet 5 and Haiku 5.5, 2026: they think unless told otherwise.
    providers: ["anthropic", "vercel-ai-gateway"],
    ids: /^(anthropic\/)?claude-((opus|sonnet)-5|haiku-5[.-]5)$/,
    levels: { off: "disabled" },
  },
  {
    // "What's new in Claude Sonnet 5.5", September 2026: the least that can be asked for, in its own word.
    providers: ["anthropic", "vercel-ai-gateway"],
    ids: /^(anthropic\/)?claude-sonnet-5[.-]5$/,
    levels: { off: "between_tools" },
  },
  {
    // "What's new in Claude Opus 5.5", September 2026: thinking cannot be disabled, as with Claude Fable.
    providers: ["anthropic", "vercel-ai-gateway"],
    ids: /^(anthropic\/)?claude-opus-5[.-]5/,
    levels: { off: null },
  },
  {
    // The same pages: a forced call of a tool is refused, by Claude Fable 5.1 and its successors too.
    providers: ["anthropic", "vercel-ai-gateway"],
    ids: /^(anthropic\/)?claude-((opus|sonnet)-5[.-]5|fable-5[.-][1-9])/,
    quirks: { supportsForcedToolChoice: false },
  },
  // "PDF support", Anthropic documentation, 2025: all models since Claude 3.5.
  { providers: ["anthropic"], ids: /^claude-/, input: ["pdf"] },
  // "File inputs", OpenAI documentation, 2025: all models that see images.
  { providers: ["openai", "azure"], ids: /^(gpt-(4o|4\.1|[5-9])|o[134](-|$)(?!mini))/, input: ["pdf"] },
  {
    // "Using reasoning models", OpenAI documentation, 2025: temperature is refused.
    providers: ["openai", "azure"],
    ids: /^(gpt-[5-9](?!.*chat)|gpt-daybreak|o\d)/,
    quirks: { supportsTemperature: false },
  },
];

/** Listed by a source, but not served by the API of the provider's row. */
const OUT: readonly { providers: readonly string[]; ids: RegExp }[] = [
  // Deep Research answers on the Interactions API alone (Gemini API documentation, 2026).
  { providers: ["google", "google-vertex"], ids: /^deep-research|-maas$/ },
  // Models of other makers, which Azure serves at another address.
  { providers: ["azure"], ids: /^(?!gpt-|o\d|codex|chat-|model-router|deepseek-v4-pro$)/ },
];

/** Whether a model is left out of the catalog. */
export function isCuratedOut(provider: string, id: string): boolean {
  return OUT.some(({ providers, ids }) => providers.includes(provider) && ids.test(id));
}

/** The entry with what is known of it by hand. */
export function withCuratedFacts(provider: string, entry: ModelEntry): ModelEntry {
  const curated = structuredClone(entry);
  for (const rule of RULES) {
    if (!rule.providers.includes(provider) || !rule.ids.test(entry.id)) continue;
    if (rule.quirks) curated.quirks = { ...curated.quirks, ...rule.quirks };
    if (rule.levels && curated.reasoning) curated.thinkingLevelMap = { ...curated.thinkingLevelMap, ...rule.levels };
    if (rule.input && curated.input?.includes("image")) curated.input = [...new Set([...curated.input, ...rule.input])];
    if (rule.cost) curated.cost = rule.cost;
  }
  return curated;
}
