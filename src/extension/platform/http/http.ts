import type { LocalizedMessage } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';

/**
 * Reads from the public internet. Only http and https. Checks resolved addresses when connecting, after each redirect
 * too. Failures are `HttpError`s; an abort rejects with the signal's reason. An error status is a response, not a
 * failure.
 */
export interface Http {
  get(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}

export interface HttpRequest {
  readonly url: string;
  /** Total time, including redirects and body. */
  readonly timeoutMs: number;
  /** Limit of the decoded body. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** As sent, in lower case, with parameters; empty if not sent. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

type HttpErrorKind = 'wrongUrl' | 'blocked' | 'timeout' | 'tooLarge' | 'redirects' | 'network';

/** The message is a sentence for model and user. */
export class HttpError extends LocalizedError {
  readonly kind: HttpErrorKind;

  constructor(kind: HttpErrorKind, say: LocalizedMessage, cause?: unknown) {
    super(say, { cause });
    this.name = 'HttpError';
    this.kind = kind;
  }
}
