import { isDeepStrictEqual } from 'node:util';
import type { Memento } from 'vscode';
import type { SessionEvent } from '../../../protocol/events.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { FileReview } from '../../review/hunk.ts';
import { changesIn, needsMode, type StagedFile } from '../../review/hunksIn.ts';
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

/**
 * Staging is a decision: a change that the person puts into Git's index, or commits, is accepted. The index's content
 * from before the change decides nothing, and neither does staging by a command of the agent. What is staged while the
 * window is closed is noticed when it opens again. Discarding a text needs nothing here: the file then holds its old
 * one, which the review follows. Of modes and links no watcher tells, so those files are looked at.
 */
export class StagedReviews implements Disposable {
  private readonly session: ActiveSession;
  private readonly reviews: ActiveReviews;
  private readonly names: FileNames;
  private readonly memory: Memento;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly watched = new Map<GitRepository, Disposable>();
  /** For files with a review, the index's content when it was last looked at; `null`: nothing. */
  private readonly staged = new Map<string, StagedFile | null>();
  /** Numbers of the hunks that the index held at the last look, by path. */
  private held = new Map<string, readonly number[]>();
  /** The same of the last look before this window opened; each file is looked up once. */
  private before = new Map<string, readonly number[]>();
  /** Files that were written before Git found their repository. */
  private readonly awaited = new Set<string>();
  private isAwaiting = false;
  /** The session began in this window, and no command of the agent has run in it. */
  private isUncommanded = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(session: ActiveSession, reviews: ActiveReviews, names: FileNames, memory: Memento, log: Log) {
    this.session = session;
    this.reviews = reviews;
    this.names = names;
    this.memory = memory;
    this.log = log;
    this.store.add(reviews.onDidChange(() => this.lookAfter(() => this.look('learn'))));
    this.store.add(session.onDidSwitch(() => this.begin()));
    this.store.add(session.onEvent(event => this.hear(event)));
    this.store.add(session.onAgentEvent(({ event }) => this.hear(event)));
  }

  dispose(): void {
    for (const watching of this.watched.values()) watching.dispose();
    this.store.dispose();
  }

  private hear(event: SessionEvent): void {
    if (event.type === 'call.requested' && event.effect === 'run') this.isUncommanded = false;
    if (event.type === 'call.ended') this.lookAfter(() => this.look('forget'));
  }

  private begin(): void {
    this.staged.clear();
    this.held.clear();
    this.awaited.clear();
    const told = this.memory.get<StagedBefore>(memoryKey);
    const isOfThis = told !== undefined && told.sessionId === this.session.present?.id;
    this.before = new Map(isOfThis ? Object.entries(told.hunks) : []);
    this.isUncommanded = this.session.state.title === '';
  }

  /** One look at a time. */
  private lookAfter(look: () => Promise<void>): void {
    if (this.reviews.pending.length === 0) return;
    this.looking = this.looking
      .then(look)
      .catch(error => this.log.warn(`What is staged is unknown: ${String(error)}`));
  }

  /**
   * @param why `learn`: files of which nothing is known yet; `forget`: the agent may have staged something itself;
   *   `decide`: the index is another one
   */
  private async look(why: 'learn' | 'forget' | 'decide'): Promise<void> {
    const pending = this.reviews.pending.map(({ path }) => path);
    for (const path of this.staged.keys()) if (!pending.includes(path)) this.forget(path);
    if (why === 'forget') this.before.clear();
    for (const path of pending) {
      if (why === 'decide') await this.followPlace(path);
      const review = this.reviews.ledger?.review(path);
      if (!review || (why === 'learn' && this.knows(path, review))) continue;
      const repository = await findRepository(this.names.uriOf(path));
      if (!repository) {
        this.awaited.add(path);
        await this.awaitRepository();
        continue;
      }
      this.watch(repository);
      const now = await readStaged(repository, this.names.uriOf(path).fsPath, needsMode(review));
      this.compare(path, now, why !== 'forget' && !this.isCommanding);
    }
    await this.remember();
  }

  private knows(path: string, review: FileReview): boolean {
    const known = this.staged.get(path);
    return known === null || (known !== undefined && !(needsMode(review) && known.mode === undefined));
  }

  /** A discarded mode, or link, is there no more. */
  private async followPlace(path: string): Promise<void> {
    const { ledger } = this.reviews;
    const review = ledger?.review(path);
    if (review && needsMode(review)) await ledger?.catchUp(path);
  }

  /** @param now the index's content of the file */
  private compare(path: string, now: StagedFile | null, isDecision: boolean): void {
    const known = this.staged.get(path);
    this.staged.set(path, now);
    const review = this.reviews.ledger?.review(path);
    if (!review || isDeepStrictEqual(known, now)) return;
    const staged = idsIn(review, now);
    this.held.set(path, staged);
    const before = known === undefined ? this.heldBefore(path) : idsIn(review, withMode(known, now));
    this.before.delete(path);
    this.awaited.delete(path);
    if (!isDecision || before === undefined) return;
    for (const id of staged) if (!before.includes(id)) this.reviews.ledger?.accept({ path, hunkId: id });
  }

  /**
   * Nobody has looked the file up yet. `undefined`: what is there may have been staged before the change, or by a
   * command of the agent. Where Git found the repository late, the person has staged it since.
   */
  private heldBefore(path: string): readonly number[] | undefined {
    return this.before.get(path) ?? (this.isUncommanded && this.awaited.has(path) ? [] : undefined);
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

  /** A command of the agent runs, or somebody whom it sent out, and may put things into the index. */
  private get isCommanding(): boolean {
    const { chapters } = this.session.state;
    const calls = chapters.at(-1)?.items.pages.at(-1) ?? [];
    return calls.some(
      item => item.type === 'call' && (item.effect === 'run' || item.agent) && item.status.kind === 'running',
    );
  }

  private async awaitRepository(): Promise<void> {
    if (this.isAwaiting) return;
    this.isAwaiting = true;
    const awaiting = await onDidOpenRepository(() => this.lookAfter(() => this.look('learn')));
    if (awaiting) this.store.add(awaiting);
  }

  private watch(repository: GitRepository): void {
    if (this.watched.has(repository)) return;
    this.watched.set(
      repository,
      repository.state.onDidChange(() => this.lookAfter(() => this.look('decide'))),
    );
  }
}

function idsIn(review: FileReview, index: StagedFile | null): readonly number[] {
  return changesIn(review, index).map(({ id }) => id);
}

/** A mode that nobody had asked for until now decides nothing. */
function withMode(known: StagedFile | null, now: StagedFile | null): StagedFile | null {
  return known && { ...known, mode: known.mode ?? now?.mode };
}

/** `null`: the file is not in the index. */
async function readStaged(
  repository: GitRepository,
  path: string,
  isModeNeeded: boolean,
): Promise<StagedFile | null> {
  try {
    // An index without it is told by this one's error alone.
    const mode = isModeNeeded ? (await repository.getObjectDetails('', path)).mode : undefined;
    return { text: await repository.show('', path), mode };
  } catch (error) {
    if (isModeNeeded && !isUnknownPath(error)) throw error;
    // Git has no word for it but an error.
    return null;
  }
}

function isUnknownPath(error: unknown): boolean {
  return error instanceof Error && 'gitErrorCode' in error && error.gitErrorCode === 'UnknownPath';
}
