import type { KeyFormat } from '../../base/keyForms.ts';
import type { ExpectedAddress } from './addressAdvice.ts';
import type { ErrorBody } from './errorBody.ts';

/** Differences between services whose client library uses our `fetch`. */
export interface ModelService extends ExpectedAddress {
  readonly ownAddress: string;
  /** Starts a sentence. */
  readonly nameOf: (host: string) => string;
  /** Message for a user without a key, when the service's own address is used. */
  readonly missingKey: () => string;
  /** Message for rejected credentials. If omitted, the credential is a key. */
  readonly rejected?: () => string;
  /** Where to look up missing permissions, without a full stop. Defaults to the key's permissions. */
  readonly rights?: () => string;
  /** Headers of the library that are sent, in lower case. */
  readonly keptHeaders: readonly string[];
  readonly keyHeader: (key: string) => readonly [name: string, value: string];
  /** Name of an environment variable. */
  readonly keyVariable: string;
  readonly keyForm: KeyFormat;
  /** Completes "has no … at this address". */
  readonly api: () => string;
  /** The setting for the context size, if the server may not report it. */
  readonly limitSetting?: string;
  /** Milliseconds until an exhausted quota renews. If omitted, the server's delay counts. */
  readonly renewedAfter?: (body: ErrorBody, wait: number | undefined) => number | undefined;
  /** HTTP status of an error that came in place of an answer. */
  readonly statusOf?: (body: ErrorBody) => number | undefined;
  /** True if the account has no quota left. `wait`: the server's retry delay in milliseconds. */
  readonly isSpent?: (
    status: number,
    body: ErrorBody,
    wait: number | undefined,
    isInStream: boolean,
  ) => boolean;
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** HTTP header values. */
  readonly retryAfter?: string | undefined;
  readonly retryAfterMs?: string | undefined;
}
