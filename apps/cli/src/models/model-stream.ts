// The stream function of a session: finds the key of each model, asks the next of the chain when one fails before it has said
// anything, and saves conversations whose history a provider refuses. Knows nothing of agents, modes or terminals.
import {
  type Context,
  createModelLayer,
  type FallbackModel,
  type Model,
  type ProtocolSource,
  resolveApiKey,
  type SimpleStreamOptions,
  withFallback,
  withHistoryRecovery,
} from "@rondo/ai";
import { createDemoStream, DEMO_MODEL } from "../demo/model.ts";
import type { ModelSources } from "../settings/model-sources.ts";
import type { ModelChain } from "./model-chain.ts";

/** What calls of models need. */
export interface ModelStreamOptions {
  sources: ModelSources;
  chain: ModelChain;
  /** The key from the command line, and the provider that it is for. */
  ownKey: { provider: string; apiKey: string } | undefined;
  /** Wire protocols besides the built-in ones. */
  protocols?: Record<string, ProtocolSource>;
  /** Pause after each word of the demo. */
  demoPauseMs: number;
  /** Hears, as a sentence for the person, that another model is asked. */
  onFallback: (notice: string) => void;
}

/** Makes the stream function. The demo is for its own model, the model layer for all others. */
export function createModelStream({
  sources,
  chain,
  ownKey,
  protocols = {},
  demoPauseMs,
  onFallback,
}: ModelStreamOptions) {
  const { env, store } = sources;
  const demoStream = createDemoStream(demoPauseMs);
  const { streamSimple } = createModelLayer({ apis: protocols, env });
  const callModel = withHistoryRecovery((model, context, options) =>
    model.api === DEMO_MODEL.api ? demoStream(model, context, options) : streamSimple(model, context, options),
  );
  const keyOf = async (model: Model) => {
    if (model.api === DEMO_MODEL.api) return {};
    const apiKey = ownKey?.provider === model.provider ? ownKey.apiKey : undefined;
    const found = await resolveApiKey(model, { env, store, ...(apiKey !== undefined && { apiKey }) });
    return found ? { apiKey: found.key } : {};
  };
  return async (model: Model, context: Context, options?: SimpleStreamOptions) => {
    const fallbacks = await Promise.all(
      chain.after(model).map(async ({ model: next, thinking }): Promise<FallbackModel> => {
        return { model: next, options: { reasoning: thinking, ...(await keyOf(next)) } };
      }),
    );
    const streamFn = withFallback(callModel, fallbacks, {
      onFallback: ({ from, to, failure }) =>
        onFallback(`${nameOf(from)} failed, so ${nameOf(to)} is asked. ${failure.errorMessage ?? ""}`.trim()),
    });
    return streamFn(model, context, { ...options, env, ...(await keyOf(model)) });
  };
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}
