import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { Connection } from '../../connection.ts';
import { registerCommands } from '../commands.ts';

export function registerModelPicker(
  session: ActiveSession,
  connection: Connection,
  settings: WritableSettings,
  log: Log,
): Disposable {
  const load = () => import('./pickModel.ts');
  return registerCommands(log, {
    'folio.selectModel': async () => (await load()).selectModel(session, connection, settings),
    'folio.selectFallback': async () => (await load()).selectFallback(connection, settings),
    'folio.selectEffort': async () => (await load()).selectEffort(session, connection, settings),
  });
}
