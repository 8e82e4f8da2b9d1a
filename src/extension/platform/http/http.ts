import type { Saying } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';

/**
 * Reading from the web. Only http and https, and only addresses of the open internet: what a name resolves to is
 * checked when connecting, after every redirect too. Failures are `HttpError`s; an abort rejects with the
 * signal's reason. An answer with an error status is a response, not a failure.
 */
export interface Http {
  get(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}

export interface HttpRequest {
  readonly url: string;
  /** For the whole, redirects and body included. */
  readonly timeoutMs: number;
  /** Limit of the decoded body. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** In lower case, as sent, parameters included; empty when not sent. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

type HttpErrorKind = 'wrongUrl' | 'blocked' | 'timeout' | 'tooLarge' | 'redirects' | 'network';

/** A sentence for model and user. */
export class HttpError extends SpokenError {
  readonly kind: HttpErrorKind;

  constructor(kind: HttpErrorKind, say: Saying, cause?: unknown) {
    super(say, { cause });
    this.name = 'HttpError';
    this.kind = kind;
  }
}
