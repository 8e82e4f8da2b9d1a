import {
  commands,
  Disposable,
  EventEmitter,
  type FileDecoration,
  type FileDecorationProvider,
  type Memento,
  type Uri,
  window,
} from 'vscode';
import { plural } from '../../../protocol/language.ts';
import { DisposableOwner, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { MakeStagingWatcher } from '../../core/changes/staging.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import { pendingChanges } from '../../review/fileMode.ts';
import type { ActiveSession } from '../activeSession.ts';
import { registerCommands } from '../features/commands.ts';
import type { PanelView } from '../panel/panelView.ts';
import { ActiveReviews } from './activeReviews.ts';
import { CellDecisions } from './cellDecisions.ts';
import { FileChangeReporter } from './fileChangeReporter.ts';
import { openFirstChanges } from './openFirstChanges.ts';
import { OriginalDocuments } from './originalDocuments.ts';
import { RealPathMapper } from './realPathMapper.ts';
import type { RejectPorts } from './rejecting.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import type { RewindConflictPorts, RewindConflicts } from './rewindConflicts.ts';
import type { RewindParts } from './rewindTo.ts';
import { StagedReviewWatcher } from './stagedReviewWatcher.ts';
import type { VirtualFiles } from './virtualFiles.ts';

interface ReviewParts {
  readonly session: ActiveSession;
  readonly panel: PanelView;
  readonly virtualFiles: VirtualFiles;
  readonly disk: Pick<FileSystem, 'realPath'>;
  readonly makeStaging: MakeStagingWatcher;
  /** The workspace's memory. */
  readonly memory: Memento;
  readonly log: Log;
}

/** The part of the review that the rest of the window needs. */
export interface ReviewInEditors extends Disposable {
  readonly reviews: ActiveReviews;
  readonly names: RealPathMapper;
  readonly bases: OriginalDocuments;
  readonly conflicts: () => Promise<RewindConflicts>;
  readonly rejecting: RejectPorts;
}

/** Registers reviews in editors. The session follows file changes first, and everything else shows its state. */
export function registerReview({
  session,
  panel,
  virtualFiles,
  disk,
  makeStaging,
  memory,
  log,
}: ReviewParts): ReviewInEditors {
  const store = new DisposableStore();
  const names = store.add(new RealPathMapper(disk, log));
  const reviews = store.add(new ActiveReviews(session));
  const bases = store.add(new OriginalDocuments(reviews, names, log));
  const conflicts = lazyConflicts({ session, names, files: virtualFiles, log });
  const rejecting: RejectPorts = { log, openDiff: (path, hunkId) => bases.openDiff(path, hunkId) };
  store.add(new FileChangeReporter(reviews, names, log));
  store.add(new StagedReviewWatcher(session, reviews, names, makeStaging, { memory, log }));
  store.add(showReviews(reviews, names, log));
  store.add(openFirstChanges({ session, panel, reviews, names, log }));
  store.add(registerReviewCommands({ reviews, names, bases, rejecting, log }));
  store.add(registerRewindCommands({ session, panel, conflicts }, log));
  return { reviews, names, bases, conflicts, rejecting, dispose: () => store.dispose() };
}

function lazyConflicts(parts: RewindConflictPorts) {
  return once(async () => new (await import('./rewindConflicts.ts')).RewindConflicts(parts));
}

function showReviews(reviews: ActiveReviews, names: RealPathMapper, log: Log): Disposable {
  return Disposable.from(
    showInEditors(reviews, names, log),
    new CellDecisions(reviews, names),
    new ReviewBadges(reviews, names),
    reportReviewContext(reviews, names),
  );
}

/** Loads the decorations of editors with the first pending change. */
function showInEditors(reviews: ActiveReviews, names: RealPathMapper, log: Log): Disposable {
  const store = new DisposableStore();
  const load = once(async () => {
    const [{ ReviewDecorations }, { ReviewLenses }] = await Promise.all([
      import('./reviewDecorations.ts'),
      import('./reviewLenses.ts'),
    ]);
    store.add(new ReviewDecorations(reviews, names));
    store.add(new ReviewLenses(reviews, names));
  });
  const showPending = () => {
    if (reviews.pending.length === 0) return;
    load().catch(error => log.error('Changes could not be shown in editors', error));
  };
  store.add(reviews.onDidChange(showPending));
  return store;
}

/** Sets the files with a review as context for `when` clauses, so that buttons and key bindings apply only to them. */
function reportReviewContext(reviews: ActiveReviews, names: RealPathMapper): Disposable {
  let reported = '';
  return reviews.onDidChange(() => {
    const files = reviews.pending.flatMap(({ path }) => [...new Set([path, names.uriOf(path).fsPath])]);
    const canBringBack = reviews.lastRejected !== undefined;
    const now = JSON.stringify([files, canBringBack]);
    if (now === reported) return;
    reported = now;
    void commands.executeCommand('setContext', 'folio.reviewedFiles', files);
    void commands.executeCommand('setContext', 'folio.reviewing', files.length > 0);
    void commands.executeCommand('setContext', 'folio.canBringBack', canBringBack);
  });
}

/** Shows the number of pending changes in a file in the explorer and on its tab. */
class ReviewBadges extends DisposableOwner implements FileDecorationProvider {
  private readonly reviews: ActiveReviews;
  private readonly names: RealPathMapper;
  private readonly changed = this.store.add(new EventEmitter<Uri[] | undefined>());
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(reviews: ActiveReviews, names: RealPathMapper) {
    super();
    this.reviews = reviews;
    this.names = names;
    this.store.add(window.registerFileDecorationProvider(this));
    this.store.add(
      reviews.onDidChange(paths => this.changed.fire([...paths].map(path => names.uriOf(path)))),
    );
    this.store.add(names.onDidLearn(() => this.changed.fire(undefined)));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const review = this.reviews.pendingIn(this.names.toRealPath(uri));
    if (!review) return undefined;
    const count = pendingChanges(review).length;
    // VS Code allows at most two characters.
    const badge = count > 99 ? '99' : String(count);
    return {
      badge,
      tooltip: plural(count, 'one: {0} change by Folio to review | other: {0} changes by Folio to review'),
      propagate: true,
    };
  }
}

function registerRewindCommands(parts: RewindParts, log: Log): Disposable {
  const load = () => import('./rewindDialogs.ts');
  const keep = (ask: () => Promise<void>) => parts.panel.keepFocus(ask);
  return registerCommands(log, {
    'folio.rewind': (to?: unknown, scope?: unknown) =>
      keep(async () => (await load()).rewind(parts, to, scope)),
    'folio.undoChanges': () => keep(async () => (await load()).undoChanges(parts)),
    'folio.undoCommand': () => keep(async () => (await load()).undoCallChanges(parts)),
    'folio.undoRewind': () => keep(async () => (await load()).undoNewestRewind(parts)),
  });
}
