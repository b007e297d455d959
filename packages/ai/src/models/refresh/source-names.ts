// What our providers are called in the sources of the catalog. Only names that differ, or that feed more than one of ours.
// When you add a provider whose models a source knows under another name, add it here.

/** Our id → the ids in models.dev. */
const MODELS_DEV: Record<string, string[]> = {
  fireworks: ["fireworks-ai"],
  together: ["togetherai"],
  "kimi-coding": ["kimi-for-coding"],
  "vercel-ai-gateway": ["vercel"],
  zai: ["zai", "zai-coding-plan"],
};

/** Our id → the ids in our facts. */
const FACTS: Record<string, string[]> = {
  zai: ["zai", "zai-coding-cn"],
};

export type SourceFormat = "models.dev" | "facts";

/** The names of a provider in a source, the more important ones first. */
export function namesInSource(provider: string, format: SourceFormat): string[] {
  return (format === "models.dev" ? MODELS_DEV : FACTS)[provider] ?? [provider];
}
