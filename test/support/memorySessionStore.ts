import { maskSecrets } from '../../src/extension/base/maskSecrets.ts';
import type { Journal, SessionStore, StoredSession } from '../../src/extension/platform/storage.ts';

/** Sessions in memory; `failWrites` plays a full disk. */
export class MemorySessionStore implements SessionStore {
  readonly journals = new Map<string, string[]>();
  readonly outputs = new Map<string, string>();
  failWrites = false;

  async list(): Promise<readonly StoredSession[]> {
    return [...this.journals.keys()]
      .reverse()
      .map((sessionId, index) => ({ sessionId, changedAt: 1000 - index }));
  }

  async readJournal(sessionId: string): Promise<readonly string[]> {
    const lines = this.journals.get(sessionId);
    if (!lines) throw new Error(`There is no session ${sessionId}.`);
    return [...lines];
  }

  async openJournal(sessionId: string): Promise<Journal> {
    const lines = this.journals.get(sessionId) ?? [];
    this.journals.set(sessionId, lines);
    return {
      append: line => {
        if (!this.failWrites) lines.push(line);
      },
      flush: async () => {
        if (this.failWrites) throw new Error('No space left on the device.');
      },
      close: async () => {},
    };
  }

  async saveOutput(sessionId: string, name: string, text: string): Promise<string> {
    const path = `${this.outputsFolder(sessionId)}/${name}`;
    this.outputs.set(path, maskSecrets(text));
    return path;
  }

  outputsFolder(sessionId: string): string {
    return `/outputs/${sessionId}`;
  }

  plansFolder(sessionId: string): string {
    return `/plans/${sessionId}`;
  }
}
