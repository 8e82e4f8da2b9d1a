import type { KeyForm } from '../../base/keyForms.ts';
import type { AddressForm } from './addressAdvice.ts';
import type { ErrorBody } from './errorBody.ts';

/** The differences between services whose client library is given a `fetch` of ours. */
export interface Service extends AddressForm {
  readonly ownAddress: string;
  /** The beginning of a sentence. */
  readonly nameOf: (host: string) => string;
  /** A sentence for a user who has set no key, where the service itself is asked. */
  readonly missingKey: () => string;
  /** A sentence for when what lets in is refused; absent: it is a key. */
  readonly rejected?: () => string;
  /** Where a user looks who was not allowed to do something, without a full stop; absent: what the key may use. */
  readonly rights?: () => string;
  /** Headers of the protocol that the library's are kept of, by their names in small letters. */
  readonly keptHeaders: readonly string[];
  readonly keyHeader: (key: string) => readonly [name: string, value: string];
  /** The name of an environment variable. */
  readonly keyVariable: string;
  /** How its keys begin. */
  readonly keyForm: KeyForm;
  /** As it reads in "has no … at this address". */
  readonly api: () => string;
  /** The setting that says how much fits into a request, where the server may not say it. */
  readonly limitSetting?: string;
  /** Milliseconds until a quota is renewed that is used up, where that is known; absent: as the server says. */
  readonly renewedAfter?: (body: ErrorBody, wait: number | undefined) => number | undefined;
  /** Gives the HTTP status for an error that came in the place of an answer. */
  readonly statusOf?: (body: ErrorBody) => number | undefined;
  /** The account has nothing left. `wait`: milliseconds that the server wants to be left alone. */
  readonly isSpent?: (
    status: number,
    body: ErrorBody,
    wait: number | undefined,
    isInStream: boolean,
  ) => boolean;
}

/** A server's response in place of a model's answer. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** HTTP headers. */
  readonly retryAfter?: string | undefined;
  readonly retryAfterMs?: string | undefined;
}
