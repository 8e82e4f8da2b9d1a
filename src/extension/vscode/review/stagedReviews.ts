import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import { stagedHunks } from '../../review/stagedHunks.ts';
import type { ActiveSession } from '../activeSession.ts';
import { findRepository, type GitRepository } from '../features/sessions/gitRepository.ts';
import type { ActiveReviews } from './activeReviews.ts';
import type { FileNames } from './fileNames.ts';

/**
 * Staging is a decision: a change that the person puts into Git's index, or commits, is accepted. What the index held
 * before the change was made decides nothing, and neither does what a command of the agent puts there. Discarding
 * needs nothing here: the file then holds its old text, which the review follows.
 */
export class StagedReviews implements Disposable {
  private readonly session: ActiveSession;
  private readonly reviews: ActiveReviews;
  private readonly names: FileNames;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly watched = new Map<GitRepository, Disposable>();
  /** Of files with a review, what the index held when it was last looked at; `null`: nothing. */
  private readonly staged = new Map<string, string | null>();
  private looking: Promise<void> = Promise.resolve();

  constructor(session: ActiveSession, reviews: ActiveReviews, names: FileNames, log: Log) {
    this.session = session;
    this.reviews = reviews;
    this.names = names;
    this.log = log;
    this.store.add(reviews.onDidChange(() => this.lookAfter(() => this.look('learn'))));
    this.store.add(session.onDidSwitch(() => this.staged.clear()));
    this.store.add(
      session.onEvent(event => {
        if (event.type === 'call.ended') this.lookAfter(() => this.look('forget'));
      }),
    );
    this.store.add(
      session.onAgentEvent(({ event }) => {
        if (event.type === 'call.ended') this.lookAfter(() => this.look('forget'));
      }),
    );
  }

  dispose(): void {
    for (const watching of this.watched.values()) watching.dispose();
    this.store.dispose();
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
    for (const path of this.staged.keys()) if (!pending.includes(path)) this.staged.delete(path);
    for (const path of pending) {
      const known = this.staged.get(path);
      if (why === 'learn' && known !== undefined) continue;
      const repository = await findRepository(this.names.uriOf(path));
      if (!repository) continue;
      this.watch(repository);
      const now = await readStaged(repository, this.names.uriOf(path).fsPath);
      this.staged.set(path, now);
      const review = this.reviews.pendingIn(path);
      if (why !== 'decide' || known === undefined || known === now || now === null || !review) continue;
      if (this.isCommanding) continue;
      for (const { id } of stagedHunks(review, known, now)) this.reviews.ledger?.accept({ path, hunkId: id });
    }
  }

  /** A command of the agent runs, or somebody whom it sent out, and may put things into the index. */
  private get isCommanding(): boolean {
    const { chapters } = this.session.state;
    const calls = chapters.at(-1)?.items.pages.at(-1) ?? [];
    return calls.some(
      item => item.type === 'call' && (item.effect === 'run' || item.agent) && item.status.kind === 'running',
    );
  }

  private watch(repository: GitRepository): void {
    if (this.watched.has(repository)) return;
    this.watched.set(
      repository,
      repository.state.onDidChange(() => this.lookAfter(() => this.look('decide'))),
    );
  }
}

/** `null`: the file is not in the index. */
async function readStaged(repository: GitRepository, path: string): Promise<string | null> {
  try {
    return await repository.show('', path);
  } catch {
    // Git has no word for it but an error.
    return null;
  }
}
