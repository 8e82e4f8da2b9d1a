/*
 * Answers of servers with the chat-completions protocol, as far as they are read. The library's own types promise
 * more than most servers keep: here every field may be missing, and those of doubtful type are `unknown`.
 */

export interface ChatChunk {
  readonly choices?: readonly (ChatChoice | null)[] | null;
  readonly usage?: ChatUsage | null;
  /** Problem in the place of an answer, though the status was 200. */
  readonly error?: unknown;
}

interface ChatChoice {
  readonly delta?: ChatDelta | null;
  /** In an answer that came as a whole. */
  readonly message?: ChatDelta | null;
  readonly finish_reason?: string | null;
}

export interface ChatDelta {
  /** A text; of some servers a list of typed pieces. */
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  /** Thoughts in typed pieces, sealed ones among them. */
  readonly reasoning_details?: unknown;
  /** Why the model will not answer. */
  readonly refusal?: unknown;
  readonly tool_calls?: readonly (CallDelta | null)[] | null;
}

export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  /** The sealed thought, which a service of Google's wants back with the call. */
  readonly extra_content?: unknown;
}

export interface ChatUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
  /** Some servers call the cached part this. */
  readonly prompt_cache_hit_tokens?: number | null;
}
