/*
 * Types of chat-completion answers, limited to the members we read. The library's types promise more than most servers
 * deliver, so every member may be missing, and members of doubtful type are `unknown`.
 */

export interface ChatChunk {
  readonly choices?: readonly (ChatChoice | null)[] | null;
  readonly usage?: ChatUsage | null;
  /** An error in place of an answer, despite status 200. */
  readonly error?: unknown;
}

interface ChatChoice {
  readonly delta?: ChatDelta | null;
  /** Present in a non-streamed answer. */
  readonly message?: ChatDelta | null;
  readonly finish_reason?: string | null;
}

export interface ChatDelta {
  /** A text, or a list of typed chunks on some servers. */
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  /** Thoughts in typed chunks, some encrypted. */
  readonly reasoning_details?: unknown;
  /** The reason why the model declines. */
  readonly refusal?: unknown;
  readonly tool_calls?: readonly (CallDelta | null)[] | null;
}

export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  /** The encrypted thought, which a Google service requires back with the call. */
  readonly extra_content?: unknown;
}

export interface ChatUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
  /** Some servers use this name for cached tokens. */
  readonly prompt_cache_hit_tokens?: number | null;
}
