import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maskSecrets } from '../base/maskSecrets.ts';
import type { Journal, SessionStore, StoredSession } from '../platform/storage.ts';
import { writeAtomically } from './atomicWrite.ts';
import { isMissing, toFileError } from './fileErrors.ts';
import { openNodeJournal, wholeLinesLength } from './nodeJournal.ts';

const journalName = 'journal.jsonl';

/** Sessions as folders below `root`: `<id>/journal.jsonl`, `<id>/outputs/` and `<id>/plans/`. Nothing is ever deleted. */
export class NodeSessionStore implements SessionStore {
  private readonly root: string;

  /** `root`: absolute; made when the first session is stored. */
  constructor(root: string) {
    this.root = root;
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
      if (isMissing(error)) throw new Error(`There is no session ${sessionId}.`, { cause: error });
      throw toFileError(error, path);
    }
    const lines = bytes.toString('utf8', 0, wholeLinesLength(bytes)).split('\n');
    // What follows the last line's end is empty.
    lines.pop();
    return lines;
  }

  async openJournal(sessionId: string): Promise<Journal> {
    const folder = this.folderOf(sessionId);
    await makePrivateFolder(folder);
    return await openNodeJournal(join(folder, journalName));
  }

  async saveOutput(sessionId: string, name: string, text: string): Promise<string> {
    const folder = this.outputsFolder(sessionId);
    await makePrivateFolder(folder);
    const path = join(folder, fileNameFor(name));
    await writeAtomically(path, Buffer.from(maskSecrets(text)), { mode: 0o600 });
    return path;
  }

  outputsFolder(sessionId: string): string {
    return join(this.folderOf(sessionId), 'outputs');
  }

  plansFolder(sessionId: string): string {
    return join(this.folderOf(sessionId), 'plans');
  }

  private folderOf(sessionId: string): string {
    if (!isSessionId(sessionId)) throw new Error(`${JSON.stringify(sessionId)} is not the id of a session.`);
    return join(this.root, sessionId);
  }

  private async readNames(): Promise<readonly string[]> {
    try {
      return await readdir(this.root);
    } catch (error) {
      if (isMissing(error)) return [];
      throw toFileError(error, this.root);
    }
  }

  private async findSession(sessionId: string): Promise<StoredSession | undefined> {
    try {
      const { mtimeMs } = await stat(join(this.root, sessionId, journalName));
      return { sessionId, changedAt: mtimeMs };
    } catch {
      // Not a session, or not ours to read: such folders are left out and left alone.
      return undefined;
    }
  }
}

/** One name of a folder that cannot lead anywhere else. */
function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id);
}

/** Journals and outputs hold what the person works on, so others on the machine cannot look. */
async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toFileError(error, path);
  }
}

/** The name itself where it is harmless; else a harmless one that no other name gets. */
function fileNameFor(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\./, '_');
  if (safe === name && name.length > 0 && name.length <= 120) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${safe.slice(0, 80)}-${mark}.txt`;
}
