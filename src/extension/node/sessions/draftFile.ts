import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';

/** No name of a session begins with a dot. */
const name = '.drafts.json';

type Draft = readonly [session: string, text: string];

/** As many as the page remembers; the oldest goes first. */
const limit = 20;

/** Typing writes a few times a second, and what is lost with a killed host is a word. */
const writeAfterMs = 150;

/** Drafts of prompts in one file beside the sessions, with the rights of a journal. */
export class DraftFile implements Disposable {
  private readonly root: string;
  private readonly log: Log;
  private readonly kept: Map<string, string>;
  private timer: NodeJS.Timeout | undefined;

  /** @param root the folder of the sessions; need not exist */
  constructor(root: string, log: Log) {
    this.root = root;
    this.log = log;
    this.kept = new Map(this.read());
    this.prune();
  }

  /** By the session's id, or `new`; the newest last. An empty one was sent or deleted. */
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
    const gone = [...this.kept.keys()].filter(of => of !== 'new' && !existsSync(join(this.root, of)));
    for (const of of gone) this.kept.delete(of);
    if (gone.length > 0) this.write();
  }

  /** Writes what waits. */
  dispose(): void {
    if (this.timer) this.write();
  }

  private get path(): string {
    return join(this.root, name);
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
