// What is known of one provider: the shape of the rows in rows/, which are data and hold no code.
import type { KnownApi, Quirks } from "../types.ts";

/** Who serves models, where, and how its server differs from that of the API's own vendor. */
export interface ProviderRow {
  /** The name in `provider/model`, in commands and in files. */
  id: string;
  /** For people. */
  name: string;
  /** The wire protocol of its models, unless a model says otherwise. */
  api: KnownApi;
  /**
   * Where requests go. `{NAME}` is filled from the environment variable NAME at each call, `{A|B}` from the first of the two that
   * is set, `{NAME:-value}` from the value where NAME is not set.
   */
  baseUrl: string;
  /** Environment variables that may hold the key, in the order in which they are looked at. Never one that also opens other doors. */
  env: readonly string[];
  quirks?: Quirks;
  /** It makes the models that it serves, so an id alone means this provider before one that only hosts the model. */
  makesModels?: true;
  /** Id of the provider whose models these are too, under another address or API. Such a row is used only when it is named. */
  variantOf?: string;
  /** Nothing is known in advance: the server says which models it has (`listModels`). */
  liveModels?: true;
}
