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
  return registerCommands(log, {
    'folio.selectModel': async () => {
      const { selectModel } = await import('./pickModel.ts');
      await selectModel(session, connection, settings);
    },
    'folio.selectFallback': async () => {
      const { selectFallback } = await import('./fallbackPicker.ts');
      await selectFallback(connection, settings);
    },
    'folio.selectEffort': async () => {
      const { selectEffort } = await import('./effortPicker.ts');
      await selectEffort(session, connection, settings);
    },
  });
}
