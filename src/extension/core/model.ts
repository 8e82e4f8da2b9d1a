/* The contract between the agent and the provider of a language model. */

import type { Message, Usage } from '../../protocol/events.ts';
import { t } from '../../protocol/language.ts';
import type { ModelPrice } from '../../protocol/panel/messages.ts';
import type { Citation } from '../../protocol/values.ts';
import { SpokenError } from '../base/errors.ts';
import type { Effort } from '../platform/settings.ts';

export interface ModelProvider {
  /**
   * Streams one answer. Exactly one `end` event, always last. Never throws once iteration has begun: problem is
   * `end` with a failure, an abort included. Does not retry; who calls decides.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Loads the code that a request to this model needs, and sends nothing. Absent: there is none. May reject. */
  load?(model: string): Promise<void>;
  /** Rejects with a `ModelError`. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
}

export interface ModelRequest {
  readonly model: string;
  /** Empty: none. */
  readonly system: string;
  /**
   * Alternating roles, starting with the user; every call answered in the next message. The last is the user's, unless the
   * answer before was `paused`.
   */
  readonly messages: readonly Message[];
  /** Text that a provider sends at the end of the last message, which is the user's: the next request does not have it there. */
  readonly footer?: string;
  readonly tools: readonly ToolDeclaration[];
  /** The answer must call one of `tools`, of which there is at least one. A provider demands it as far as it can. */
  readonly mustCall?: boolean;
  /** Lets the provider search the web or read URLs automatically; excludes `tools`. */
  readonly builtIn?: 'webSearch' | 'urlContext';
  readonly temperature?: number;
  /** How hard it shall think; a provider takes the nearest that the model has. Absent: as the model itself decides. */
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
      /** The answer as it goes into history: adjacent text merged, calls with ids, signatures kept. */
      readonly message: Message;
      readonly usage?: Usage;
      /** The provider's word, for example `STOP`. */
      readonly finish: string;
      /** It reached its length limit: its text may end in the middle, and calls may be missing behind those it has. */
      readonly cut?: true;
      /** The service paused the answer: it continues when it gets it back as the last message. */
      readonly paused?: true;
      readonly citations: readonly Citation[];
    }
  | { readonly ok: false; readonly error: ModelError };

export type ModelErrorKind =
  | 'auth'
  | 'forbidden'
  | 'notFound'
  | 'badRequest'
  /** The model, or its server as it was started, takes no tools. */
  | 'noTools'
  | 'tooLarge'
  | 'rateLimited'
  | 'quota'
  | 'overloaded'
  | 'network'
  /** The server took the request and said nothing for so long that it was given up. */
  | 'silent'
  /** The stream ended without a finish reason, empty, or with a malformed call. */
  | 'invalidStream'
  | 'blocked'
  | 'aborted'
  | 'unknown';

/** A part of a request that can be left out of the next attempt. */
export interface RefusedPart {
  /** The service's own words. */
  readonly words: string;
  /** Keys of parts and tools (core/history/refusedParts.ts) to leave out at the first refusal, the second, and all later ones. */
  readonly tries: readonly (readonly string[])[];
  /** The service did not say which part it refused. */
  readonly isGuess: boolean;
}

/** The one error type of providers; made by one classifier per provider. */
export class ModelError extends SpokenError {
  readonly kind: ModelErrorKind;
  /** Another attempt may succeed. */
  readonly retryable: boolean;
  /** The server's own request, milliseconds; of a quota, until it is renewed. */
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  /** Tells the model what was wrong with its answer, when it is asked again. */
  readonly forModel: string | undefined;
  /** Parts of the request that the service refused; absent: none is known. */
  readonly refused: RefusedPart | undefined;

  /** @param say for the user, what happened and what to do */
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

/** The error of providers that have neither tool built in. */
export function noBuiltInError(builtIn: NonNullable<ModelRequest['builtIn']>): ModelError {
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
  /** Absent: not known. */
  readonly price?: ModelPrice;
  /** The steps of thinking that it can be told, the least first; absent: none. */
  readonly efforts?: readonly Effort[];
}
