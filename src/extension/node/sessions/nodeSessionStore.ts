import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { headOf } from '../../base/text.ts';
import {
  type IndexName,
  type Journal,
  type JournalChunk,
  type OutputText,
  type RunningOutput,
  SessionInUseError,
  type SessionStore,
  type StoredSession,
} from '../../platform/storage.ts';
import { writeAtomically } from '../files/atomicWrite.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { type FileLock, type LockTimes, lockTimes, takeLock } from '../files/fileLock.ts';
import { openNodeJournal, splitJournalLines, wholeLinesLength } from './nodeJournal.ts';
import { RunningOutputFile, readRunningOutput } from './runningOutputFile.ts';
import { SessionTrash } from './sessionTrash.ts';

const journalName = 'journal.jsonl';
const lockName = 'lock';
// Session ids never start with a dot, so these are never listed.
const indexNames = { sessions: '.index.json', statistics: '.statistics.json' } as const;
const trashName = '.trash';

/**
 * Sessions as folders below `root`: `<id>/journal.jsonl`, `<id>/agents/`, `<id>/outputs/` and `<id>/plans/`. Deleted
 * ones are in `.trash`.
 */
export class NodeSessionStore implements SessionStore {
  private readonly root: string;
  private readonly times: LockTimes;
  private readonly trash: SessionTrash;
  /** Locks of sessions whose journals were opened here. */
  private readonly locks = new Map<string, FileLock>();

  /** `root`: absolute path, created with the first session. */
  constructor(root: string, times: LockTimes = lockTimes) {
    this.root = root;
    this.times = times;
    this.trash = new SessionTrash(join(root, trashName));
  }

  async list(): Promise<readonly StoredSession[]> {
    const names = await this.readNames();
    const found = await Promise.all(names.filter(isSessionId).map(name => this.findSession(name)));
    return found.filter(session => session !== undefined).sort((a, b) => b.changedAt - a.changedAt);
  }

  async readJournal(sessionId: string): Promise<readonly string[]> {
    const path = join(this.folderOf(sessionId), journalName);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch (error) {
      throw isMissing(error) ? noSession(sessionId, error) : toFileError(error, path);
    }
    return splitJournalLines(bytes);
  }

  async *scanJournal(sessionId: string, from: number): AsyncIterable<JournalChunk> {
    try {
      yield* scanLines(join(this.folderOf(sessionId), journalName), from);
    } catch (error) {
      throw isMissing((error as Error).cause) ? noSession(sessionId, error) : error;
    }
  }

  async openJournal(sessionId: string): Promise<Journal> {
    const folder = this.folderOf(sessionId);
    await makePrivateFolder(folder);
    const lock = await this.lock(folder);
    this.locks.set(sessionId, lock);
    try {
      return openNodeJournal(join(folder, journalName), lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async openAgentJournal(sessionId: string, callId: string): Promise<Journal> {
    const folder = this.agentsFolder(sessionId);
    await makePrivateFolder(folder);
    const lock = this.locks.get(sessionId);
    // The session's own journal releases the lock.
    const shared = lock && {
      get isLost() {
        return lock.isLost;
      },
      release: async () => {},
    };
    return openNodeJournal(join(folder, agentJournalName(callId)), shared);
  }

  async *scanAgentJournal(sessionId: string, callId: string): AsyncIterable<JournalChunk> {
    try {
      yield* scanLines(join(this.agentsFolder(sessionId), agentJournalName(callId)), 0);
    } catch (error) {
      if (!isMissing((error as Error).cause)) throw error;
    }
  }

  async reopenJournal(sessionId: string): Promise<Journal> {
    await this.expectSession(sessionId);
    return await this.openJournal(sessionId);
  }

  async remove(sessionId: string, now: number): Promise<void> {
    const folder = this.folderOf(sessionId);
    await this.expectSession(sessionId);
    const lock = await this.lock(folder);
    try {
      const place = await this.trash.put(folder, sessionId, now);
      // The lock was moved along, and would block a restore of the session.
      await rm(join(place, lockName), { force: true });
    } finally {
      await lock.release();
    }
  }

  async bringBack(sessionId: string): Promise<void> {
    await this.trash.take(sessionId, this.folderOf(sessionId));
  }

  async emptyTrash(before: number): Promise<void> {
    await this.trash.empty(before);
  }

  async readIndex(of: IndexName): Promise<string | undefined> {
    // The index can be rebuilt from the journals, so the error is irrelevant.
    return readFile(join(this.root, indexNames[of]), 'utf8').catch(() => undefined);
  }

  async writeIndex(of: IndexName, text: string): Promise<void> {
    await writeAtomically(join(this.root, indexNames[of]), Buffer.from(text), { mode: 0o600 });
  }

  async saveOutput(sessionId: string, name: string, content: string | Uint8Array): Promise<string> {
    const folder = this.outputsFolder(sessionId);
    await makePrivateFolder(folder);
    const path = join(folder, fileNameFor(name));
    const bytes = Buffer.from(typeof content === 'string' ? maskSecrets(content) : content);
    await writeAtomically(path, bytes, { mode: 0o600 });
    return path;
  }

  openRunningOutput(sessionId: string, name: string): RunningOutput {
    return new RunningOutputFile(join(this.outputsFolder(sessionId), fileNameFor(name)));
  }

  readCallOutput(sessionId: string, name: string): Promise<OutputText | undefined> {
    return readRunningOutput(join(this.outputsFolder(sessionId), fileNameFor(name)));
  }

  outputsFolder(sessionId: string): string {
    return join(this.folderOf(sessionId), 'outputs');
  }

  plansFolder(sessionId: string): string {
    return join(this.folderOf(sessionId), 'plans');
  }

  private agentsFolder(sessionId: string): string {
    return join(this.folderOf(sessionId), 'agents');
  }

  private folderOf(sessionId: string): string {
    if (!isSessionId(sessionId))
      throw new LocalizedError(() => t('{0} is not the id of a session.', JSON.stringify(sessionId)));
    return join(this.root, sessionId);
  }

  private async lock(folder: string): Promise<FileLock> {
    const path = join(folder, lockName);
    const lock = await takeLock(path, 'processes', this.times).catch(error => {
      throw toFileError(error, path);
    });
    if (!lock) throw new SessionInUseError();
    return lock;
  }

  private async readNames(): Promise<readonly string[]> {
    try {
      return await readdir(this.root);
    } catch (error) {
      if (isMissing(error)) return [];
      throw toFileError(error, this.root);
    }
  }

  private async expectSession(sessionId: string): Promise<void> {
    const path = join(this.folderOf(sessionId), journalName);
    try {
      await stat(path);
    } catch (error) {
      throw isMissing(error) ? noSession(sessionId, error) : toFileError(error, path);
    }
  }

  private async findSession(sessionId: string): Promise<StoredSession | undefined> {
    try {
      const { mtimeMs, size } = await stat(join(this.root, sessionId, journalName));
      return { sessionId, changedAt: mtimeMs, size };
    } catch {
      // A foreign or unreadable folder; ignore it.
      return undefined;
    }
  }
}

function noSession(sessionId: string, cause: unknown): Error {
  return new LocalizedError(() => t('There is no session {0}.', sessionId), { cause });
}

/** True for a single folder name that cannot lead elsewhere. */
function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id);
}

/** Journals and outputs contain the user's work, so other users must not read them. */
async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toFileError(error, path);
  }
}

function agentJournalName(callId: string): string {
  return fileNameFor(`${callId}.jsonl`);
}

/** Returns the name if it is a safe file name, else a unique safe one. */
function fileNameFor(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\./, '_');
  if (safe === name && name.length > 0 && name.length <= 120) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${headOf(safe, 80)}-${mark}.${name.endsWith('.jpg') ? 'jpg' : 'txt'}`;
}

const pieceSize = 1024 * 1024;

/**
 * Yields the complete lines of a file after `from` in chunks, so that a long journal is never in memory as a whole.
 * Starts from the beginning if no line starts there. Omits an incomplete last line.
 */
async function* scanLines(path: string, from: number): AsyncGenerator<JournalChunk> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw toFileError(error, path);
  }
  try {
    let end = (await isLineStart(file, from)) ? from : 0;
    let rest: Buffer = Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(pieceSize);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceSize, end + rest.length);
      if (bytesRead === 0) return;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const whole = wholeLinesLength(bytes);
      rest = bytes.subarray(whole);
      if (whole === 0) continue;
      const start = end;
      end += whole;
      yield { lines: splitJournalLines(bytes.subarray(0, whole)), start, end };
    }
  } catch (error) {
    throw toFileError(error, path);
  } finally {
    await file.close();
  }
}

async function isLineStart(file: FileHandle, from: number): Promise<boolean> {
  if (from <= 0) return from === 0;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, from - 1);
  return bytesRead === 1 && buffer[0] === 0x0a;
}
