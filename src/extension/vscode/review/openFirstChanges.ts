import { commands, Range, workspace } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import { reportFailure } from '../features/report.ts';
import type { PanelView } from '../panel/panelView.ts';
import type { ActiveReviews } from './activeReviews.ts';
import { anchorLine } from './hunkPlaces.ts';
import type { RealPathMapper } from './realPathMapper.ts';

interface FirstChangeParts {
  readonly session: ActiveSession;
  readonly panel: PanelView;
  readonly reviews: ActiveReviews;
  readonly names: RealPathMapper;
  readonly log: Log;
}

/** Opens the first file that each turn changes, at its first hunk, unless the user works in an editor. */
export function openFirstChanges({ session, panel, reviews, names, log }: FirstChangeParts): Disposable {
  let openedFor = '';
  const open = async (path: string) => {
    const review = reviews.pendingIn(path);
    const [hunk] = review?.hunks.filter(({ status }) => status === 'pending') ?? [];
    const line = review && hunk ? anchorLine(review, hunk) : 0;
    const selection = new Range(line, 0, line, 0);
    await commands.executeCommand('vscode.open', names.uriOf(path), {
      selection,
      preview: true,
      preserveFocus: true,
    });
  };
  return session.onEvent(event => {
    const { activity } = session.state;
    if (event.type !== 'review.changed' || !event.review || activity.status === 'resting') return;
    if (activity.turnId === openedFor || !panel.isUsed || !isOn()) return;
    openedFor = activity.turnId;
    open(event.path).catch(error => reportFailure(log, t('The changed file could not be opened'), error));
  });
}

function isOn(): boolean {
  return workspace.getConfiguration('folio').get('review.openFirstChange') !== false;
}
