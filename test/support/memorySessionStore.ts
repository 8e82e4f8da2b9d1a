import { maskSecrets } from '../../src/extension/base/maskSecrets.ts';
import { FileError } from '../../src/extension/platform/fileSystem.ts';
import type {
  IndexName,
  Journal,
  JournalChunk,
  OutputText,
  RunningOutput,
  SessionStore,
  StoredSession,
} from '../../src/extension/platform/storage.ts';

interface Deleted {
  readonly sessionId: string;
  readonly lines: string[];
  readonly at: number;
}

/** Sessions in memory; `failWrites` plays a full disk. */
export class MemorySessionStore implements SessionStore {
  readonly journals = new Map<string, string[]>();
  /** Of subagents, by session and call. */
  readonly agentJournals = new Map<string, Map<string, string[]>>();
  readonly outputs = new Map<string, string>();
  readonly kept = new Map<string, string>();
  failWrites = false;
  readonly indexes = new Map<IndexName, string>();
  private trash: readonly Deleted[] = [];

  async list(): Promise<readonly StoredSession[]> {
    return [...this.journals]
      .reverse()
      .map(([sessionId, lines], index) => ({ sessionId, changedAt: 1000 - index, size: sizeOf(lines) }));
  }

  async readJournal(sessionId: string): Promise<readonly string[]> {
    const lines = this.journals.get(sessionId);
    if (!lines) throw new Error(`There is no session ${sessionId}.`);
    return [...lines];
  }

  async *scanJournal(sessionId: string, from: number): AsyncGenerator<JournalChunk> {
    const lines = await this.readJournal(sessionId);
    const starts = lines.map((_, index) => sizeOf(lines.slice(0, index)));
    const first = from === sizeOf(lines) ? lines.length : Math.max(0, starts.indexOf(from));
    if (first < lines.length) yield { lines: lines.slice(first), start: starts[first]!, end: sizeOf(lines) };
  }

  async openJournal(sessionId: string): Promise<Journal> {
    const lines = this.journals.get(sessionId) ?? [];
    this.journals.set(sessionId, lines);
    return new MemoryJournal(lines, () => this.failWrites);
  }

  async reopenJournal(sessionId: string): Promise<Journal> {
    await this.readJournal(sessionId);
    return await this.openJournal(sessionId);
  }

  async openAgentJournal(sessionId: string, callId: string): Promise<Journal> {
    const ofSession = this.agentJournals.get(sessionId) ?? new Map<string, string[]>();
    this.agentJournals.set(sessionId, ofSession);
    const lines = ofSession.get(callId) ?? [];
    ofSession.set(callId, lines);
    return new MemoryJournal(lines, () => this.failWrites);
  }

  async *scanAgentJournal(sessionId: string, callId: string): AsyncGenerator<JournalChunk> {
    const lines = this.agentJournals.get(sessionId)?.get(callId) ?? [];
    if (lines.length > 0) yield { lines: [...lines], start: 0, end: sizeOf(lines) };
  }

  async saveOutput(sessionId: string, name: string, content: string | Uint8Array): Promise<string> {
    const path = `${this.outputsFolder(sessionId)}/${name}`;
    this.outputs.set(
      path,
      typeof content === 'string' ? maskSecrets(content) : Buffer.from(content).toString('base64'),
    );
    return path;
  }

  openRunningOutput(sessionId: string, name: string): RunningOutput {
    const path = `${this.outputsFolder(sessionId)}/${name}`;
    return {
      append: text => {
        if (!this.failWrites) this.kept.set(path, (this.kept.get(path) ?? '') + text);
      },
      discard: () => void this.kept.delete(path),
    };
  }

  async readCallOutput(sessionId: string, name: string): Promise<OutputText | undefined> {
    const text = this.kept.get(`${this.outputsFolder(sessionId)}/${name}`);
    return text === undefined ? undefined : { text, isWhole: true };
  }

  outputsFolder(sessionId: string): string {
    return `/outputs/${sessionId}`;
  }

  plansFolder(sessionId: string): string {
    return `/plans/${sessionId}`;
  }

  async remove(sessionId: string, now: number): Promise<void> {
    const lines = [...(await this.readJournal(sessionId))];
    this.journals.delete(sessionId);
    this.trash = [...this.trash, { sessionId, lines, at: now }];
  }

  async bringBack(sessionId: string): Promise<void> {
    const deleted = this.trash.findLast(each => each.sessionId === sessionId);
    if (!deleted) throw new Error('This session is no longer in the trash.');
    if (this.journals.has(sessionId)) throw new Error('This session is already here.');
    this.journals.set(sessionId, deleted.lines);
    this.trash = this.trash.filter(each => each !== deleted);
  }

  async emptyTrash(before: number): Promise<void> {
    this.trash = this.trash.filter(({ at }) => at >= before);
  }

  async readIndex(of: IndexName): Promise<string | undefined> {
    return this.indexes.get(of);
  }

  async writeIndex(of: IndexName, text: string): Promise<void> {
    if (this.failWrites) throw full();
    this.indexes.set(of, text);
  }
}

class MemoryJournal implements Journal {
  private readonly lines: string[];
  private readonly fails: () => boolean;
  private held: string[] = [];
  private closed = false;

  constructor(lines: string[], fails: () => boolean) {
    this.lines = lines;
    this.fails = fails;
  }

  get waiting(): number {
    return sizeOf(this.held);
  }

  append(line: string): void {
    if (this.closed) throw new Error('The journal is closed.');
    this.held.push(line);
    if (this.held.length === 1) this.write();
  }

  async flush(): Promise<void> {
    this.write();
    if (this.held.length > 0 || this.fails()) throw full();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.flush();
  }

  private write(): void {
    if (!this.fails()) this.lines.push(...this.held.splice(0));
  }
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function full(): FileError {
  return new FileError('noSpace', '/sessions', () => 'The disk is full: /sessions could not be written.');
}
