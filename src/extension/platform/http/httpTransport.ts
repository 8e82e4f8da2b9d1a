/**
 * Sends every request to a model server. Adds nothing but what HTTP demands. Follows no redirect, which could send
 * headers with keys to any host.
 */
export interface HttpTransport {
  /**
   * Resolves once the response headers arrive, whatever the status. Rejects with the signal's reason, or with an error
   * whose `code`, or that of a cause, is the system's. So does reading the body.
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
}

export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in order; empty if the request has no body. */
  readonly body: readonly Uint8Array[];
  /** Aborts request and response. */
  readonly signal: AbortSignal;
}

export interface TransportAnswer {
  /** 3xx even if the platform hides the exact status. */
  readonly status: number;
  /** Names in lower case, without cookies. Repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decoded chunks as they arrive, for a single reader. Leaving early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}
