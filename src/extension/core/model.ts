/* The contract between the agent and a model provider. */

import type { Message, Usage } from '../../protocol/events.ts';
import { t } from '../../protocol/language.ts';
import type { ModelPrice } from '../../protocol/panel/messages.ts';
import type { Citation } from '../../protocol/values.ts';
import { LocalizedError } from '../base/errors.ts';
import type { Effort } from '../platform/settings.ts';

export interface ModelProvider {
  /**
   * Streams one answer. Emits exactly one `end` event, always last. Never throws once iteration has begun: an error or
   * an abort is an `end` with a failure. Does not retry; the caller decides.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /**
   * Loads the code that a request to this model needs, without sending anything. Absent: nothing to load. May reject.
   */
  load?(model: string): Promise<void>;
  /** Rejects with a `ModelError`. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
}

export interface ModelRequest {
  readonly model: string;
  /** May be empty. */
  readonly system: string;
  /**
   * Alternating roles, starting with the user. Every call is answered in the next message. The last message is the
   * user's, unless the answer before it was `paused`.
   */
  readonly messages: readonly Message[];
  /** Text that the provider appends to the last message, which is the user's. It is not part of the history. */
  readonly footer?: string;
  readonly tools: readonly ToolDeclaration[];
  /** The answer must call one of `tools`, which is not empty. A provider enforces it as far as its API can. */
  readonly mustCall?: boolean;
  /** Lets the provider itself search the web or read URLs; excludes `tools`. */
  readonly builtIn?: 'webSearch' | 'urlContext';
  readonly temperature?: number;
  /** Thinking effort. A provider takes the nearest level of the model. Absent: the model decides. */
  readonly effort?: Effort;
  readonly signal: AbortSignal;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'end'; readonly end: ModelEnd };

export type ModelEnd =
  | {
      readonly ok: true;
      /** The answer for the history: adjacent text merged, calls with ids, signatures preserved. */
      readonly message: Message;
      readonly usage?: Usage;
      /** The provider's own value, for example `STOP`. */
      readonly finish: string;
      /** The answer reached its length limit: text may end in the middle, and later calls may be missing. */
      readonly cut?: true;
      /** The service paused the answer. It continues when the answer is sent back as the last message. */
      readonly paused?: true;
      readonly citations: readonly Citation[];
    }
  | { readonly ok: false; readonly error: ModelError };

export type ModelErrorKind =
  | 'auth'
  | 'forbidden'
  | 'notFound'
  | 'badRequest'
  /** The model, or its server as configured, does not support tools. */
  | 'noTools'
  | 'tooLarge'
  | 'rateLimited'
  | 'quota'
  | 'overloaded'
  | 'network'
  /** The server accepted the request and then sent nothing until the timeout. */
  | 'silent'
  /** The stream ended without a finish reason, without content, or with a malformed call. */
  | 'invalidStream'
  | 'blocked'
  | 'aborted'
  | 'unknown';

/** A part of a request that can be left out of the next attempt. */
export interface RefusedPart {
  /** The service's error message. */
  readonly words: string;
  /**
   * Keys of parts and tools (core/history/refusedParts.ts) to omit after the first refusal, the second, and all later
   * ones.
   */
  readonly tries: readonly (readonly string[])[];
  /** The service did not say which part it refused. */
  readonly isGuess: boolean;
}

/** The only error type of providers. Each provider creates it in one classifier. */
export class ModelError extends LocalizedError {
  readonly kind: ModelErrorKind;
  /** True if another attempt may succeed. */
  readonly retryable: boolean;
  /** Milliseconds that the server asks to wait. For a quota: until it is renewed. */
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  /** Tells the model in the next attempt what was wrong with its answer. */
  readonly forModel: string | undefined;
  /** Parts of the request that the service refused. Absent: unknown. */
  readonly refused: RefusedPart | undefined;

  /** @param say tells the user what happened and what to do */
  constructor(
    kind: ModelErrorKind,
    say: () => string,
    details: {
      retryable: boolean;
      retryAfterMs?: number;
      status?: number;
      forModel?: string;
      refused?: RefusedPart | undefined;
      cause?: unknown;
    },
  ) {
    super(say, { cause: details.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
    this.forModel = details.forModel;
    this.refused = details.refused;
  }
}

/** Creates the error of providers without built-in web search and URL reading. */
export function noBuiltInToolsError(builtIn: NonNullable<ModelRequest['builtIn']>): ModelError {
  const say = () =>
    builtIn === 'webSearch'
      ? t(
          'Models of this provider cannot search the web. Set folio.webSearchCommand, or change folio.provider.',
        )
      : t('Only Gemini models read web pages automatically. Choose them with the setting folio.provider.');
  return new ModelError('badRequest', say, { retryable: false });
}

export interface ModelInfo {
  readonly id: string;
  readonly label: string;
  /** Tokens that fit into one request. */
  readonly contextLimit: number;
  /** Absent: unknown. */
  readonly price?: ModelPrice;
  /** Supported thinking efforts, lowest first. Absent: none. */
  readonly efforts?: readonly Effort[];
}
