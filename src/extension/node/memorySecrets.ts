import type { StoredSecrets } from '../platform/secrets.ts';

/** In-memory store for environments without a keyring. Its secrets are lost when the process exits. */
export class MemorySecrets implements StoredSecrets {
  private readonly kept = new Map<string, string>();

  async find(name: string): Promise<string | undefined> {
    return this.kept.get(name);
  }

  async keep(name: string, value: string): Promise<void> {
    this.kept.set(name, value);
  }

  async drop(name: string): Promise<void> {
    this.kept.delete(name);
  }
}
