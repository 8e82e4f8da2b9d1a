import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';

/** Starts with a dot, like no session id. */
const nameOf = (window: string) => (window === '' ? '.drafts.json' : `.drafts-${window}.json`);
const ofWindow = /^\.drafts-.*\.json$/;

/** After this time, a folderless window counts as gone. */
const windowKeptMs = 30 * 24 * 60 * 60 * 1000;

type Draft = readonly [session: string, text: string];

/** Same limit as in the webview. The oldest is dropped first. */
const limit = 20;

/** Delays writes while typing. A killed host loses a word at most. */
const writeAfterMs = 150;

/**
 * Prompt drafts in one file next to the sessions, with the permissions of a journal. Folderless windows share that
 * place, so each has its own file.
 */
export class DraftFile implements Disposable {
  private readonly root: string;
  private readonly path: string;
  private readonly log: Log;
  private readonly kept: Map<string, string>;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param root folder of the sessions, which need not exist
   * @param window id of a folderless window; empty if a folder is open
   */
  constructor(root: string, log: Log, window = '') {
    this.root = root;
    this.path = join(root, nameOf(window));
    this.log = log;
    this.kept = new Map(this.read());
    this.prune();
    if (window !== '') this.removeOldWindows();
  }

  /** By session id, or a key that starts with `new`; newest last. An empty draft was sent or deleted. */
  get drafts(): readonly Draft[] {
    return [...this.kept];
  }

  keep(of: string, text: string): void {
    this.kept.delete(of);
    this.kept.set(of, text);
    for (const oldest of [...this.kept.keys()].slice(0, -limit)) this.kept.delete(oldest);
    this.timer ??= setTimeout(() => this.write(), writeAfterMs);
  }

  /** Drops drafts of deleted sessions. */
  prune(): void {
    const gone = [...this.kept.keys()].filter(
      of => !of.startsWith('new') && !existsSync(join(this.root, of)),
    );
    for (const of of gone) this.kept.delete(of);
    if (gone.length > 0) this.write();
  }

  /** Writes pending changes. */
  dispose(): void {
    if (this.timer) this.write();
  }

  private removeOldWindows(): void {
    try {
      const names = existsSync(this.root) ? readdirSync(this.root).filter(name => ofWindow.test(name)) : [];
      for (const path of names.map(name => join(this.root, name))) {
        // Another window may remove it at the same moment.
        const found = statSync(path, { throwIfNoEntry: false });
        if (found && path !== this.path && Date.now() - found.mtimeMs > windowKeptMs)
          rmSync(path, { force: true });
      }
    } catch (error) {
      this.log.warn(`Old drafts could not be removed: ${messageOf(error)}`);
    }
  }

  private read(): readonly Draft[] {
    try {
      const found: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      return Array.isArray(found) ? found.filter(isDraft) : [];
    } catch {
      // The file is missing or damaged. The webview also stores drafts.
      return [];
    }
  }

  /** Writes atomically. Synchronous, so that nothing is pending when the window closes. */
  private write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const temporary = `${this.path}.tmp`;
    try {
      mkdirSync(this.root, { recursive: true, mode: 0o700 });
      rmSync(temporary, { force: true });
      writeFileSync(temporary, JSON.stringify([...this.kept]), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.path);
    } catch (error) {
      this.log.warn(`Drafts could not be kept: ${messageOf(error)}`);
    }
  }
}

function isDraft(value: unknown): value is Draft {
  return Array.isArray(value) && value.length === 2 && value.every(each => typeof each === 'string');
}
