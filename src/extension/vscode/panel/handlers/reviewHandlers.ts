import { commands, Range, window } from 'vscode';
import type { RestoredFile } from '../../../../protocol/changes.ts';
import type { ShownFile } from '../../../../protocol/intentions.ts';
import { asLines } from '../../../review/asLines.ts';
import type { ActiveSession } from '../../activeSession.ts';
import { sendComments } from '../../comments/registerComments.ts';
import { reach } from '../../features/milestones.ts';
import { firstLine } from '../../review/hunkPlaces.ts';
import type { ReviewInEditors } from '../../review/registerReview.ts';
import { rejectPlace, tellTroubles } from '../../review/rejecting.ts';
import { rewindTo, undoRewind } from '../../review/rewindTo.ts';
import type { PanelView } from '../panelView.ts';
import type { SomeHandlers } from './panelHandlers.ts';
import { unchangedPaths } from './stillAsked.ts';

export function handleReview(
  session: ActiveSession,
  panel: PanelView,
  { reviews, names, conflicts, rejecting }: ReviewInEditors,
) {
  // What the agent wrote while the press was on its way was not seen.
  const unchanged = (shown: readonly ShownFile[]) =>
    session.present ? unchangedPaths(shown, session.present.state) : [];
  const rewinding = { session, panel, conflicts };
  return {
    'review.accept': ({ place, shown }) => {
      reach('decided');
      reviews.ledger?.accept({ ...place, paths: unchanged(shown) });
    },
    'review.reject': ({ place, shown }) => {
      reach('decided');
      return rejectPlace(reviews.ledger, { ...place, paths: unchanged(shown) }, rejecting);
    },
    'review.bringBack': async ({ path, hunkId }) => {
      const { ledger } = reviews;
      if (ledger) tellTroubles(await ledger.bringBack(path, hunkId), ledger, rejecting);
    },
    'review.open': async ({ path, hunkId }) => {
      const known = reviews.ledger?.review(path);
      if (!known) {
        void window.showInformationMessage('Nothing waits for review in this file any more.');
        return;
      }
      const review = asLines(known);
      const hunk = review.hunks.find(({ id }) => id === hunkId);
      const line = hunk && firstLine(review, hunk);
      const selection = line === undefined ? undefined : new Range(line, 0, line, 0);
      await commands.executeCommand('vscode.open', names.uriOf(path), { selection, preview: true });
    },
    'comments.send': () => sendComments(session),
    'rewind.preview': async ({ to }) => {
      let files: readonly RestoredFile[] = [];
      try {
        files = (await session.present?.previewRewind(to)) ?? [];
      } finally {
        // The question in the panel waits for an answer, also when there is trouble to be told.
        panel.feed.deliver({ type: 'rewind.previewed', to, files });
      }
    },
    'rewind.do': ({ to, scope }) => rewindTo(rewinding, to, scope),
    'rewind.undo': () => undoRewind(rewinding),
  } satisfies SomeHandlers;
}
