/**
 * The way of every request to a model server. It sends what it is given and nothing of its own but what HTTP demands,
 * and follows no redirect: those would take headers with keys in them to any host.
 */
export interface HttpTransport {
  /**
   * Resolves once the answer's headers are there, whatever its status. Rejects with the signal's reason, or with an
   * error whose `code`, or that of a cause, is the system's. So does the answer's body.
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
}

export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one after the other; empty: the request has no body. */
  readonly body: readonly Uint8Array[];
  /** Breaks off request and answer. */
  readonly signal: AbortSignal;
}

export interface TransportAnswer {
  /** 3xx also where the platform hides which it was. */
  readonly status: number;
  /** Names in lower case, without cookies. Repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decoded, packet by packet as they come; for one reader. To leave early ends the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}
