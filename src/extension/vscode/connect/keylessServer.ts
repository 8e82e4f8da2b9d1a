/** A value that survives a reload of the window. */
interface PersistedText {
  read(): string | undefined;
  write(value: string | undefined): void;
}

/**
 * The server that the user chose and that answered without a key. It gets none, so that a key in the environment for
 * another service is not sent to a local server.
 */
export class KeylessServer {
  private readonly kept: PersistedText;

  constructor(kept: PersistedText) {
    this.kept = kept;
  }

  is(address: string): boolean {
    return address !== '' && this.kept.read() === address;
  }

  /** @param address `undefined` sends the configured key to every server from now on */
  remember(address: string | undefined): void {
    this.kept.write(address);
  }
}
