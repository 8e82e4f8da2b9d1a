import { isDeepStrictEqual } from 'node:util';
import { type Memento, RelativePattern, Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { HunksInGit, MakeStagingWatcher, StagingWatcher } from '../../core/changes/staging.ts';
import type { Log } from '../../platform/log.ts';
import { isUnwatched } from '../../review/hunksInText.ts';
import type { ActiveSession } from '../activeSession.ts';
import {
  findRepository,
  type GitRepository,
  onDidOpenRepository,
} from '../features/sessions/gitRepository.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { RealPathMapper } from './realPathMapper.ts';

/** The changes of a session that Git had when the window closed, in the workspace's memory. */
interface HeldBefore {
  readonly sessionId: string;
  /** By the path of their file. */
  readonly hunks: Readonly<Record<string, HunksInGit>>;
}

/** Check files that are still unknown, or all, since the index or the commit has changed. */
type Which = 'unknown' | 'all';

const memoryKey = 'folio.heldHunks';

/**
 * Checks what is staged and committed whenever Git's files, the review or the agent's use of Git change. Changes while
 * the window is closed are noticed when it opens again. Discarding a text needs nothing here: the review follows the
 * file back to its old text. No watcher reports modes and links, so those files are checked.
 */
export class StagedReviewWatcher implements Disposable {
  private readonly session: ActiveSession;
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly makeStaging: MakeStagingWatcher;
  private readonly memory: Memento;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly watched = new Map<GitRepository, Disposable>();
  private staging: (() => Promise<StagingWatcher>) | undefined;
  private listening: Disposable | undefined;
  /** Last saved scan of the shown session by file; used once each, to find what Git took since. */
  private before: Readonly<Record<string, HunksInGit>> = {};
  /** Files that were written before Git detected their repository. */
  private readonly awaited = new Set<string>();
  private isAwaiting = false;
  private isBegunHere = false;
  /** Scans that have not begun yet. */
  private readonly wanted = new Set<Which>();
  private scanning: Promise<void> = Promise.resolve();

  constructor(
    session: ActiveSession,
    reviews: ActiveReviews,
    names: RealPathMapper,
    makeStaging: MakeStagingWatcher,
    ports: { readonly memory: Memento; readonly log: Log },
  ) {
    this.session = session;
    this.reviews = reviews;
    this.names = names;
    this.makeStaging = makeStaging;
    this.memory = ports.memory;
    this.log = ports.log;
    this.store.add(reviews.onDidChange(() => this.scanSoon('unknown')));
    this.store.add(session.onDidSwitch(() => this.begin()));
  }

  dispose(): void {
    for (const watching of this.watched.values()) watching.dispose();
    this.listening?.dispose();
    this.store.dispose();
  }

  private begin(): void {
    const { present, state } = this.session;
    this.awaited.clear();
    const reported = this.memory.get<HeldBefore>(memoryKey);
    this.before = reported !== undefined && reported.sessionId === present?.id ? reported.hunks : {};
    this.isBegunHere = state.title === '';
    this.staging = present && once(() => this.makeStaging(present.changes));
    this.listening?.dispose();
    // The command has staged its own changes by now. The next change is the user's.
    this.listening = present?.changes.gitTracker.onDidEnd(() => this.scanSoon('all'));
  }

  /** Runs one scan at a time. A waiting one covers all requests until it begins. */
  private scanSoon(which: Which): void {
    if (this.wanted.has(which) || this.reviews.pending.length === 0) return;
    this.wanted.add(which);
    this.scanning = this.scanning
      .then(() => {
        this.wanted.delete(which);
        return this.scan(which);
      })
      .catch(error => this.log.warn(`What is staged is unknown: ${String(error)}`));
  }

  private async scan(which: Which): Promise<void> {
    const staging = await this.staging?.();
    if (!staging) return;
    const pending = this.reviews.pending.map(({ path }) => path);
    staging.keep(pending);
    if (which === 'all') await this.followUnwatched(pending);
    const wanted = which === 'all' ? pending : pending.filter(path => !staging.knows(path));
    for (const [repository, paths] of await this.byRepository(wanted)) {
      this.watch(repository);
      await staging.scan(repository.rootUri.fsPath, paths, path => this.heldBefore(path));
      for (const path of paths) this.awaited.delete(path);
    }
    await this.remember(staging);
  }

  private async byRepository(
    paths: readonly string[],
  ): Promise<ReadonlyMap<GitRepository, readonly string[]>> {
    const found = new Map<GitRepository, string[]>();
    for (const path of paths) {
      const repository = await findRepository(this.names.uriOf(path));
      if (repository) found.set(repository, [...(found.get(repository) ?? []), path]);
      else this.awaited.add(path);
    }
    if (this.awaited.size > 0) await this.awaitRepository();
    return found;
  }

  /** Checks files whose mode or link was discarded. */
  private async followUnwatched(paths: readonly string[]): Promise<void> {
    const { ledger } = this.reviews;
    for (const path of paths) {
      const review = ledger?.review(path);
      if (review && isUnwatched(review)) await ledger?.catchUp(path);
    }
  }

  /**
   * Returns `undefined` if the content may have been staged before the change, or by a command of the agent. If Git
   * detected the repository late, the user has staged it since.
   */
  private heldBefore(path: string): HunksInGit | undefined {
    if (this.session.present?.changes.gitTracker.count !== 0) return undefined;
    const { [path]: known, ...others } = this.before;
    this.before = others;
    return known ?? (this.isBegunHere && this.awaited.has(path) ? nothing : undefined);
  }

  private async remember(staging: StagingWatcher): Promise<void> {
    const sessionId = this.session.present?.id;
    if (sessionId === undefined) return;
    const now: HeldBefore = { sessionId, hunks: Object.fromEntries(staging.held) };
    if (!isDeepStrictEqual(now, this.memory.get(memoryKey))) await this.memory.update(memoryKey, now);
  }

  private async awaitRepository(): Promise<void> {
    if (this.isAwaiting) return;
    this.isAwaiting = true;
    const awaiting = await onDidOpenRepository(() => this.scanSoon('unknown'));
    if (awaiting) this.store.add(awaiting);
  }

  private watch(repository: GitRepository): void {
    if (this.watched.has(repository)) return;
    const watching = new DisposableStore();
    this.watched.set(repository, watching);
    watching.add(repository.state.onDidChange(() => this.scanSoon('all')));
    // The Git extension ignores changes during its own Git calls, and automatic refresh may be disabled.
    const folder = Uri.joinPath(repository.rootUri, '.git');
    // One folder per pattern: for a pattern with a slash VS Code may watch the whole repository.
    const written = [
      new RelativePattern(folder, '{index,HEAD}'),
      new RelativePattern(Uri.joinPath(folder, 'logs'), 'HEAD'),
    ];
    for (const pattern of written) {
      const files = watching.add(workspace.createFileSystemWatcher(pattern));
      watching.add(files.onDidCreate(() => this.scanSoon('all')));
      watching.add(files.onDidChange(() => this.scanSoon('all')));
    }
  }
}

const nothing: HunksInGit = { staged: [], committed: [] };
