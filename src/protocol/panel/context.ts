/* The parts that fill the model's context. */

export interface ContextBreakdown {
  /** Tokens that fit into one request of the session's model. */
  readonly limit: number;
  /** Tokens of the newest request and its answer. */
  readonly used: number;
  /** True if the provider counted `used`; otherwise it is an estimate. */
  readonly counted: boolean;
  /** Share of the limit at which the context is compressed automatically. */
  readonly threshold: number;
  /** In the order of the request; their sum is `used`. */
  readonly parts: readonly ContextPart[];
}

export type ContextPart =
  /** `files`: attached or mentioned files; `summary`: summary of compressed chapters. */
  | { readonly kind: 'system' | 'tools' | 'memory' | 'files' | 'summary'; readonly tokens: number }
  | { readonly kind: 'chapter'; readonly chapterId: string; readonly tokens: number };
