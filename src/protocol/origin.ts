/** What a provider wants to see again in each request beside what it said. */
export interface WantedBack {
  /** Opaque; goes back to the provider as it came. */
  readonly signature?: string;
  readonly origin?: Origin;
}

/** Where a chat server had it from, so that it gets it back as it came: this server, and nobody else. */
export interface Origin {
  /** The name of the host. */
  readonly server: string;
  /** The member of the server's message that held the text. */
  readonly member?: string;
  /** A call's id there, which may have been replaced here. */
  readonly id?: string;
  /** Members of the server's message or call that are none of ours. */
  readonly sealed?: Readonly<Record<string, unknown>>;
}
