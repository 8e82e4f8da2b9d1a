import type { Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelView } from '../panel/panelView.ts';
import { ActiveReviews } from './activeReviews.ts';
import { BaseDocuments } from './baseDocuments.ts';
import { CellDecisions } from './cellDecisions.ts';
import { FileNames } from './fileNames.ts';
import type { RejectSurroundings } from './rejecting.ts';
import { ReviewBadges } from './reviewBadges.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import { tellReviewContext } from './reviewContext.ts';
import { ReviewDecorations } from './reviewDecorations.ts';
import { ReviewFollower } from './reviewFollower.ts';
import { ReviewLenses } from './reviewLenses.ts';
import { registerRewindCommands } from './rewindCommands.ts';
import { RewindConflicts } from './rewindConflicts.ts';
import { StagedReviews } from './stagedReviews.ts';
import type { VirtualFiles } from './virtualFiles.ts';

export interface ReviewParts {
  readonly session: ActiveSession;
  readonly panel: PanelView;
  readonly virtualFiles: VirtualFiles;
  readonly disk: Pick<FileSystem, 'realPath'>;
  /** Where the pictures of the extension lie. */
  readonly media: Uri;
  readonly log: Log;
}

/** What other parts of the window need of the review. */
export interface ReviewInEditors extends Disposable {
  readonly reviews: ActiveReviews;
  readonly names: FileNames;
  readonly bases: BaseDocuments;
  readonly conflicts: RewindConflicts;
  readonly rejecting: RejectSurroundings;
}

/** Review where the code is. The session is told of what happens to files first, and everything else shows that. */
export function registerReview({
  session,
  panel,
  virtualFiles,
  disk,
  media,
  log,
}: ReviewParts): ReviewInEditors {
  const store = new DisposableStore();
  const names = store.add(new FileNames(disk, log));
  const reviews = store.add(new ActiveReviews(session));
  const bases = store.add(new BaseDocuments(reviews, names, log));
  const conflicts = new RewindConflicts({ session, names, files: virtualFiles, log });
  const rejecting: RejectSurroundings = { log, openDiff: (path, hunkId) => bases.openDiff(path, hunkId) };
  store.add(new ReviewFollower(reviews, names, log));
  store.add(new StagedReviews(session, reviews, names, log));
  store.add(new ReviewDecorations(reviews, names, media));
  store.add(new ReviewLenses(reviews, names));
  store.add(new CellDecisions(reviews, names));
  store.add(new ReviewBadges(reviews, names));
  store.add(tellReviewContext(reviews, names));
  store.add(registerReviewCommands({ reviews, names, bases, rejecting, log }));
  store.add(registerRewindCommands({ session, panel, conflicts }, log));
  return { reviews, names, bases, conflicts, rejecting, dispose: () => store.dispose() };
}
