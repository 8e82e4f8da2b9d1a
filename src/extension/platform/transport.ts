/**
 * Carries requests to a server. An answer of any status is an answer, and no redirect is followed. Rejects when there
 * is none; an abort rejects with the signal's reason, also while the body is read.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
}

export interface TransportRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces that follow each other, none for a request without a body. */
  readonly body: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

export interface TransportAnswer {
  readonly status: number;
  /** The name is in lower case. */
  header(name: string): string | undefined;
  /** Decoded. Who leaves it early ends the connection. Absent: there is none. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
}
