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

/** No name of a session begins with a dot. */
const nameOf = (window: string) => (window === '' ? '.drafts.json' : `.drafts-${window}.json`);
const ofWindow = /^\.drafts-.*\.json$/;

/** A window without a folder that was not used for so long is gone. */
const windowKeptMs = 30 * 24 * 60 * 60 * 1000;

type Draft = readonly [session: string, text: string];

/** As many as the page remembers; the oldest goes first. */
const limit = 20;

/** Typing writes a few times a second, and what is lost with a killed host is a word. */
const writeAfterMs = 150;

/**
 * Drafts of prompts in one file beside the sessions, with the rights of a journal. Windows without a folder share that
 * place, so that each has a file of its own.
 */
export class DraftFile implements Disposable {
  private readonly root: string;
  private readonly path: string;
  private readonly log: Log;
  private readonly kept: Map<string, string>;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param root the folder of the sessions; need not exist
   * @param window the id of a window without a folder; empty: a folder is open
   */
  constructor(root: string, log: Log, window = '') {
    this.root = root;
    this.path = join(root, nameOf(window));
    this.log = log;
    this.kept = new Map(this.read());
    this.prune();
    if (window !== '') this.removeOldWindows();
  }

  /** By the session's id, or what begins with `new`; the newest last. An empty one was sent or deleted. */
  get drafts(): readonly Draft[] {
    return [...this.kept];
  }

  keep(of: string, text: string): void {
    this.kept.delete(of);
    this.kept.set(of, text);
    for (const oldest of [...this.kept.keys()].slice(0, -limit)) this.kept.delete(oldest);
    this.timer ??= setTimeout(() => this.write(), writeAfterMs);
  }

  /** Forgets the drafts of sessions that are gone. */
  prune(): void {
    const gone = [...this.kept.keys()].filter(
      of => !of.startsWith('new') && !existsSync(join(this.root, of)),
    );
    for (const of of gone) this.kept.delete(of);
    if (gone.length > 0) this.write();
  }

  /** Writes what waits. */
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
      // There is none, or it is damaged: the page has a memory of its own.
      return [];
    }
  }

  /** Whole or not at all. At once, so that nothing waits when the window closes. */
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
