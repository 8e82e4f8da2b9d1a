import { window } from 'vscode';
import type { RewindPoint } from '../../../protocol/changes.ts';
import { iterate } from '../../../protocol/pages.ts';
import type { PromptItem, SessionState } from '../../../protocol/state.ts';
import type { ReviewTrouble } from '../../core/changes/ledger.ts';
import type { ActiveSession } from '../activeSession.ts';
import { openFile } from '../features/openThings.ts';
import type { PanelHandlers } from './panelHandlers.ts';
import type { PanelView } from './panelView.ts';

export type ReviewHandlers = Pick<
  PanelHandlers,
  | 'review.accept'
  | 'review.reject'
  | 'review.bringBack'
  | 'review.open'
  | 'rewind.preview'
  | 'rewind.do'
  | 'rewind.undo'
>;

export function handleReview(session: ActiveSession, panel: PanelView): ReviewHandlers {
  return {
    'review.accept': ({ place }) => session.present?.changes.ledger.accept(place),
    'review.reject': async ({ place }) => tell(await session.present?.changes.ledger.reject(place)),
    'review.bringBack': async ({ path, hunkId }) =>
      tell(await session.present?.changes.ledger.bringBack(path, hunkId)),
    'review.open': ({ path, hunkId }) => {
      const hunk = session.present?.changes.ledger.review(path)?.hunks.find(({ id }) => id === hunkId);
      return openFile(path, hunk && hunk.start + 1);
    },
    'rewind.preview': async ({ to }) => {
      const files = (await session.present?.previewRewind(to)) ?? [];
      panel.feed.deliver({ type: 'rewind.previewed', to, files });
    },
    'rewind.do': async ({ to, scope }) => {
      const prompt = findPrompt(session.state, to);
      await session.present?.rewind(to, scope);
      if (!prompt || scope === 'files') return;
      const { text, attachments } = prompt;
      panel.feed.deliver({ type: 'composer.filled', text, attachments });
    },
    'rewind.undo': async () => {
      await session.present?.undoRewind();
    },
  };
}

/** A person who is told what went wrong can still decide otherwise; nothing was lost. */
function tell(troubles: readonly ReviewTrouble[] = []): void {
  for (const { message } of troubles) void window.showWarningMessage(message);
}

function findPrompt(state: SessionState, to: RewindPoint): PromptItem | undefined {
  if (to.kind !== 'turn') return undefined;
  for (const chapter of state.chapters) {
    for (const item of iterate(chapter.items)) {
      if (item.type === 'prompt' && item.id === to.turnId) return item;
    }
  }
  return undefined;
}
