import type { RewindScope, RewindTarget } from '../../../protocol/intentions.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { PromptItem, SessionState } from '../../../protocol/state.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelView } from '../panel/panelView.ts';
import type { RewindConflicts } from './rewindConflicts.ts';

export interface RewindParts {
  readonly session: ActiveSession;
  readonly panel: PanelView;
  readonly conflicts: () => Promise<RewindConflicts>;
}

/** Rewinds, returns the prompt to the composer, and reports what could not be restored. */
export async function rewindTo(
  { session, panel, conflicts }: RewindParts,
  to: RewindTarget,
  scope: RewindScope,
): Promise<void> {
  const prompt = findPrompt(session.state, to);
  const files = (await session.present?.rewind(to, scope)) ?? [];
  (await conflicts()).notify(files);
  if (!prompt || scope === 'files') return;
  const { text, attachments } = prompt;
  panel.feed.deliver({ type: 'composer.filled', text, attachments });
}

export async function undoRewind({ session, conflicts }: RewindParts): Promise<void> {
  const files = (await session.present?.undoRewind()) ?? [];
  (await conflicts()).notify(files);
}

function findPrompt(state: SessionState, to: RewindTarget): PromptItem | undefined {
  if (to.kind !== 'turn') return undefined;
  for (const chapter of state.chapters) {
    for (const item of iterate(chapter.items)) {
      if (item.type === 'prompt' && item.id === to.turnId) return item;
    }
  }
  return undefined;
}
