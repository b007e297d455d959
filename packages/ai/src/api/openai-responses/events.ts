// The shape of the events of the Responses API, as far as we read them. Everything may be absent or null: compatible servers leave
// things out.

export interface ResponsesEvent {
  type?: string;
  response?: ResponseObject | null;
  item?: OutputItem | null;
  item_id?: string;
  output_index?: number;
  content_index?: number;
  summary_index?: number;
  delta?: unknown;
  text?: string;
  refusal?: string;
  arguments?: unknown;
  part?: ItemPart | null;
}

export interface ResponseObject {
  id?: string;
  model?: string;
  status?: string | null;
  error?: unknown;
  incomplete_details?: { reason?: string | null } | null;
  output?: OutputItem[] | null;
  usage?: ResponsesUsage | null;
}

/** A part of a message, a summary or a reasoning. */
export interface ItemPart {
  type?: string;
  text?: string | null;
  refusal?: string | null;
}

/** An output item of any kind; unknown fields are kept. */
export interface OutputItem {
  type?: string;
  id?: string;
  call_id?: string;
  name?: string;
  arguments?: unknown;
  input?: unknown;
  content?: ItemPart[] | null;
  summary?: ItemPart[] | null;
  encrypted_content?: string | null;
  phase?: string | null;
  [field: string]: unknown;
}

export interface ResponsesUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  input_tokens_details?: { cached_tokens?: number | null; cache_write_tokens?: number | null } | null;
  output_tokens_details?: { reasoning_tokens?: number | null } | null;
  /** OpenRouter: US dollars. */
  cost?: unknown;
}
