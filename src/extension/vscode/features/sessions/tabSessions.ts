import type { Memento } from 'vscode';

const storageKey = 'folio.tabs';

/** Entries kept, some for tabs that VS Code restores only when they are shown. */
const kept = 50;

/**
 * The session of each tab, by the name of its page. VS Code stores the state of a webview at most once a minute, and
 * loses what came later when a window is killed.
 */
export class TabSessions {
  private readonly memory: Pick<Memento, 'get' | 'update'>;
  /** The last changed comes last. Empty for a new session. */
  private readonly sessions: Map<string, string>;

  constructor(memory: Pick<Memento, 'get' | 'update'>) {
    this.memory = memory;
    this.sessions = new Map(memory.get<[string, string][]>(storageKey, []));
  }

  find(name: string): string | undefined {
    return this.sessions.get(name) || undefined;
  }

  /** @param sessionId absent for a new session */
  keep(name: string, sessionId = ''): void {
    if (this.sessions.get(name) === sessionId) return;
    this.sessions.delete(name);
    this.sessions.set(name, sessionId);
    this.save();
  }

  forget(name: string): void {
    if (this.sessions.delete(name)) this.save();
  }

  private save(): void {
    void this.memory.update(storageKey, [...this.sessions].slice(-kept));
  }
}
