/** A value that outlives the VS Code window. */
interface PersistedText {
  read(): string | undefined;
  write(value: string | undefined): void;
}

/**
 * The server that the user chose and that answered without a key. It gets none, so that a key which lies in the
 * environment for another service does not travel to whatever listens on this machine.
 */
export class KeylessServer {
  private readonly kept: PersistedText;

  constructor(kept: PersistedText) {
    this.kept = kept;
  }

  is(address: string): boolean {
    return address !== '' && this.kept.read() === address;
  }

  /** `undefined`: from now on every server gets the key that is set. */
  remember(address: string | undefined): void {
    this.kept.write(address);
  }
}
