import { commands } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { autoRouted } from '../../../../protocol/routes.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { WritableSettings } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { Connection } from '../../connection.ts';
import { registerCommands } from '../commands.ts';
import { providerLabels } from './providerLabels.ts';

export function registerModelPicker(
  session: ActiveSession,
  connection: Connection,
  settings: WritableSettings,
  log: Log,
): Disposable {
  return registerCommands(log, {
    'folio.selectModel': () => selectModel(session, connection, settings),
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

async function selectModel(
  session: ActiveSession,
  connection: Connection,
  settings: WritableSettings,
): Promise<void> {
  const { pickModel } = await import('./pickModel.ts');
  const choice = await pickModel({
    offer: () => {
      return {
        current: session.state.model,
        models: connection.models,
        provider: nameOf(connection),
        routed: autoRouted(session.state)?.model,
        fallback: settings.get('fallbackModel'),
      };
    },
    list: async signal => {
      await connection.refreshModels(signal);
      return connection.listTrouble;
    },
  });
  if (choice?.kind === 'model') await session.setModel(choice.model);
  if (choice?.kind === 'fallback') await commands.executeCommand('folio.selectFallback');
  if (choice?.kind === 'provider') await commands.executeCommand('folio.connect');
}

function nameOf({ kind, name }: Connection): string {
  return kind === 'rehearsal' ? t('Rehearsal') : providerLabels[name];
}
