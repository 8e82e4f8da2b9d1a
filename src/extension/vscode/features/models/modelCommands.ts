import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { registerCommands } from '../commands.ts';

export function registerModelCommands(
  session: ActiveSession,
  connection: ModelConnection,
  settings: WritableSettings,
  panel: Pick<PanelView, 'keepFocus'>,
  log: Log,
): Disposable {
  const keep = (pick: (picks: typeof import('./pickModel.ts')) => Promise<void>) => () =>
    panel.keepFocus(async () => pick(await import('./pickModel.ts')));
  return registerCommands(log, {
    'folio.selectModel': keep(picks => picks.selectModel(session, connection, settings)),
    'folio.selectFallback': keep(picks => picks.selectFallback(connection, settings)),
    'folio.selectEffort': keep(picks => picks.selectEffort(session, connection, settings)),
  });
}
