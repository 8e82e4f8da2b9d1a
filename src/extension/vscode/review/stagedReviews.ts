import { isDeepStrictEqual } from 'node:util';
import type { Memento } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { GitUse } from '../../core/changes/gitUse.ts';
import type { Log } from '../../platform/log.ts';
import type { ContentNames } from '../../platform/versionControl.ts';
import type { FileReview } from '../../review/hunk.ts';
import { changesIn, needsDetails, needsName, type StagedFile } from '../../review/hunksIn.ts';
import type { ActiveSession } from '../activeSession.ts';
import {
  findRepository,
  type GitRepository,
  onDidOpenRepository,
} from '../features/sessions/gitRepository.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { FileNames } from './fileNames.ts';

/** The part of the index that concerned a session when the window closed, in the workspace's memory. */
interface StagedBefore {
  readonly sessionId: string;
  /** Numbers of the hunks that were staged, by the path of their file. */
  readonly hunks: Readonly<Record<string, readonly number[]>>;
}

const memoryKey = 'folio.stagedHunks';

interface StagedParts {
  readonly session: ActiveSession;
  readonly reviews: ActiveReviews;
  readonly names: FileNames;
  readonly contents: ContentNames;
  readonly memory: Memento;
  readonly log: Log;
}

/** The index's content of a file when it was last looked at. */
interface Known {
  /** `null`: nothing. */
  readonly file: StagedFile | null;
  /** The agent's use of Git until then. */
  readonly gitUse: number;
}

/**
 * Staging is a decision: a change that the person puts into Git's index, or commits, is accepted. The index's content
 * from before the change decides nothing, and neither does what has come into it while a command of the agent ran that
 * names Git, or a tool of a server. What is staged while the
 * window is closed is noticed when it opens again. Discarding a text needs nothing here: the file then holds its old
 * one, which the review follows. Of modes and links no watcher tells, so those files are looked at.
 */
export class StagedReviews implements Disposable {
  private readonly session: ActiveSession;
  private readonly reviews: ActiveReviews;
  private readonly names: FileNames;
  private readonly contents: ContentNames;
  private readonly memory: Memento;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly watched = new Map<GitRepository, Disposable>();
  private readonly staged = new Map<string, Known>();
  private listening: Disposable | undefined;
  /** Numbers of the hunks that the index held at the last look, by path. */
  private held = new Map<string, readonly number[]>();
  /** The same of the last look before this window opened; each file is looked up once. */
  private before = new Map<string, readonly number[]>();
  /** Files that were written before Git found their repository. */
  private readonly awaited = new Set<string>();
  private isAwaiting = false;
  private isBegunHere = false;
  private looking: Promise<void> = Promise.resolve();

  constructor({ session, reviews, names, contents, memory, log }: StagedParts) {
    this.session = session;
    this.reviews = reviews;
    this.names = names;
    this.contents = contents;
    this.memory = memory;
    this.log = log;
    this.store.add(reviews.onDidChange(() => this.lookAfter(() => this.look('unknown'))));
    this.store.add(session.onDidSwitch(() => this.begin()));
  }

  dispose(): void {
    for (const watching of this.watched.values()) watching.dispose();
    this.listening?.dispose();
    this.store.dispose();
  }

  private begin(): void {
    this.staged.clear();
    this.held.clear();
    this.awaited.clear();
    const told = this.memory.get<StagedBefore>(memoryKey);
    const isOfThis = told !== undefined && told.sessionId === this.session.present?.id;
    this.before = new Map(isOfThis ? Object.entries(told.hunks) : []);
    this.isBegunHere = this.session.state.title === '';
    this.listening?.dispose();
    // By now the command has staged what it staged itself; the next change is the person's.
    this.listening = this.gitUse?.onDidEnd(() => this.lookAfter(() => this.look('all')));
  }

  /** One look at a time. */
  private lookAfter(look: () => Promise<void>): void {
    if (this.reviews.pending.length === 0) return;
    this.looking = this.looking
      .then(look)
      .catch(error => this.log.warn(`What is staged is unknown: ${String(error)}`));
  }

  private get gitUse(): GitUse | undefined {
    return this.session.present?.changes.gitUse;
  }

  /** @param which files of which nothing is known yet, or all: the index is another one */
  private async look(which: 'unknown' | 'all'): Promise<void> {
    const pending = this.reviews.pending.map(({ path }) => path);
    for (const path of this.staged.keys()) if (!pending.includes(path)) this.forget(path);
    for (const path of pending) {
      if (which === 'all') await this.followPlace(path);
      const review = this.reviews.ledger?.review(path);
      if (!review || (which === 'unknown' && this.knows(path, review))) continue;
      const repository = await findRepository(this.names.uriOf(path));
      if (!repository) {
        this.awaited.add(path);
        await this.awaitRepository();
        continue;
      }
      this.watch(repository);
      const now = await readStaged(repository, this.names.uriOf(path).fsPath, needsDetails(review));
      this.compare(path, now, needsName(review) ? await this.contents.readName(path) : undefined);
    }
    await this.remember();
  }

  private knows(path: string, review: FileReview): boolean {
    const known = this.staged.get(path);
    return known !== undefined && !(needsDetails(review) && known.file && known.file.mode === undefined);
  }

  /** A discarded mode, or link, is there no more. */
  private async followPlace(path: string): Promise<void> {
    const { ledger } = this.reviews;
    const review = ledger?.review(path);
    if (review && needsDetails(review)) await ledger?.catchUp(path);
  }

  /**
   * @param now the index's content of the file
   * @param name Git's name of what stands in the file; absent: not asked for, or not known
   */
  private compare(path: string, now: StagedFile | null, name: string | undefined): void {
    const known = this.staged.get(path);
    const { count = 0, isRunning = false } = this.gitUse ?? {};
    this.staged.set(path, { file: now, gitUse: count });
    const review = this.reviews.ledger?.review(path);
    if (!review || (known && isDeepStrictEqual(known.file, now))) return;
    const idsIn = (file: StagedFile | null) => changesIn(review, file, name).map(({ id }) => id);
    const staged = idsIn(now);
    this.held.set(path, staged);
    const before = known ? idsIn(withDetails(known.file, now)) : this.heldBefore(path);
    this.before.delete(path);
    this.awaited.delete(path);
    const mayBeAgents = isRunning || (known && known.gitUse !== count);
    if (mayBeAgents || before === undefined) return;
    for (const id of staged) if (!before.includes(id)) this.reviews.ledger?.accept({ path, hunkId: id });
  }

  /**
   * Nobody has looked the file up yet. `undefined`: what is there may have been staged before the change, or by a
   * command of the agent. Where Git found the repository late, the person has staged it since.
   */
  private heldBefore(path: string): readonly number[] | undefined {
    if (this.gitUse?.count !== 0) return undefined;
    return this.before.get(path) ?? (this.isBegunHere && this.awaited.has(path) ? [] : undefined);
  }

  private forget(path: string): void {
    this.staged.delete(path);
    this.held.delete(path);
    this.awaited.delete(path);
  }

  private async remember(): Promise<void> {
    const sessionId = this.session.present?.id;
    if (sessionId === undefined) return;
    const now: StagedBefore = { sessionId, hunks: Object.fromEntries(this.held) };
    if (!isDeepStrictEqual(now, this.memory.get(memoryKey))) await this.memory.update(memoryKey, now);
  }

  private async awaitRepository(): Promise<void> {
    if (this.isAwaiting) return;
    this.isAwaiting = true;
    const awaiting = await onDidOpenRepository(() => this.lookAfter(() => this.look('unknown')));
    if (awaiting) this.store.add(awaiting);
  }

  private watch(repository: GitRepository): void {
    if (this.watched.has(repository)) return;
    this.watched.set(
      repository,
      repository.state.onDidChange(() => this.lookAfter(() => this.look('all'))),
    );
  }
}

/** A detail that nobody had asked for until now decides nothing. */
function withDetails(known: StagedFile | null, now: StagedFile | null): StagedFile | null {
  return known && { ...known, mode: known.mode ?? now?.mode, name: known.name ?? now?.name };
}

/** `null`: the file is not in the index. */
async function readStaged(
  repository: GitRepository,
  path: string,
  areDetailsNeeded: boolean,
): Promise<StagedFile | null> {
  try {
    // An index without it is told by this one's error alone.
    const details = areDetailsNeeded ? await repository.getObjectDetails('', path) : undefined;
    return { text: await repository.show('', path), mode: details?.mode, name: details?.object };
  } catch (error) {
    if (areDetailsNeeded && !isUnknownPath(error)) throw error;
    // Git has no word for it but an error.
    return null;
  }
}

function isUnknownPath(error: unknown): boolean {
  return error instanceof Error && 'gitErrorCode' in error && error.gitErrorCode === 'UnknownPath';
}
