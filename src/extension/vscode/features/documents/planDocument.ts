import { Disposable } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { once } from '../../../base/once.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { reportFailure } from '../report.ts';
import type { PlanTab } from './planTab.ts';

export function registerPlanDocument(
  session: ActiveSession,
  panel: Pick<PanelView, 'notify'>,
  log: Log,
): Disposable {
  let tab: PlanTab | undefined;
  const load = once(async () => {
    const { PlanTab } = await import('./planTab.ts');
    tab = new PlanTab(panel);
    return tab;
  });
  return Disposable.from(
    session.onEvent(event => {
      if (!event.type.startsWith('plan.')) return;
      load()
        .then(plan => plan.follow(event))
        .catch(error => reportFailure(log, t('The plan could not be shown'), error));
    }),
    session.onDidSwitch(() => tab?.forget()),
  );
}
