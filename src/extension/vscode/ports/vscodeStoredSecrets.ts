import type { SecretStorage } from 'vscode';
import type { StoredSecrets } from '../../platform/secrets.ts';

const prefix = 'folio.kept.';

/** Stores secrets of other programs in VS Code's SecretStorage. */
export class VscodeStoredSecrets implements StoredSecrets {
  private readonly storage: SecretStorage;

  constructor(storage: SecretStorage) {
    this.storage = storage;
  }

  async find(name: string): Promise<string | undefined> {
    return (await this.storage.get(prefix + name)) || undefined;
  }

  async keep(name: string, value: string): Promise<void> {
    await this.storage.store(prefix + name, value);
  }

  async drop(name: string): Promise<void> {
    await this.storage.delete(prefix + name);
  }
}
