import { commands, Range, type Uri, window } from 'vscode';
import type { RewindTarget, ShownFile } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import type { RestoredFile } from '../../../../protocol/values.ts';
import { asLines } from '../../../review/asLines.ts';
import type { FileReview } from '../../../review/hunk.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { sendComments } from '../../comments/registerComments.ts';
import { completeMilestone } from '../../features/milestones.ts';
import { anchorLine } from '../../review/hunkPlaces.ts';
import type { ReviewInEditors } from '../../review/registerReview.ts';
import { rejectSelection, reportProblems } from '../../review/rejecting.ts';
import { rewindTo, undoRewind } from '../../review/rewindTo.ts';
import type { PanelFeed } from '../panelFeed.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';
import { unchangedPaths } from './stillAsked.ts';

export function reviewHandlers(session: ActiveSession, { reviews, names, rejecting }: ReviewInEditors) {
  // Excludes changes that the agent made while the click was on its way, which the user did not see.
  const unchanged = (shown: readonly ShownFile[]) =>
    session.present ? unchangedPaths(shown, session.present.state) : [];
  return {
    'review.accept': ({ place, shown }) => {
      completeMilestone('decided');
      reviews.ledger?.accept({ ...place, paths: unchanged(shown) });
    },
    'review.reject': ({ place, shown }) => {
      completeMilestone('decided');
      return rejectSelection(reviews.ledger, { ...place, paths: unchanged(shown) }, rejecting);
    },
    'review.bringBack': async ({ path, hunkId }) => {
      const { ledger } = reviews;
      if (ledger) reportProblems(await ledger.bringBack(path, hunkId), ledger, rejecting);
    },
    'review.open': ({ path, hunkId }) => openReview(reviews.ledger?.review(path), names.uriOf(path), hunkId),
    'comments.send': () => sendComments(session),
  } satisfies SomeHandlers;
}

export function rewindHandlers(session: ActiveSession, panel: PanelView, { conflicts }: ReviewInEditors) {
  const rewinding = { session, panel, conflicts };
  return {
    'rewind.preview': ({ to }, { feed }) => previewRewind(to, session, feed),
    'rewind.do': ({ to, scope }) => rewindTo(rewinding, to, scope),
    'rewind.undo': () => undoRewind(rewinding),
  } satisfies SomeHandlers;
}

/** Opens the review at the hunk, if it still exists. */
async function openReview(
  known: FileReview | undefined,
  uri: Uri,
  hunkId: number | undefined,
): Promise<void> {
  if (!known) {
    void window.showInformationMessage(t('This file has no more changes to review.'));
    return;
  }
  const review = asLines(known);
  const hunk = review.hunks.find(({ id }) => id === hunkId);
  const line = hunk && anchorLine(review, hunk);
  const selection = line === undefined ? undefined : new Range(line, 0, line, 0);
  await commands.executeCommand('vscode.open', uri, { selection, preview: true });
}

async function previewRewind(to: RewindTarget, session: ActiveSession, feed: PanelFeed): Promise<void> {
  let files: readonly RestoredFile[] = [];
  try {
    files = (await session.present?.previewRewind(to)) ?? [];
  } finally {
    // The question in the panel waits for an answer, even if there is an error to report.
    feed.deliver({ type: 'rewind.previewed', to, files });
  }
}
