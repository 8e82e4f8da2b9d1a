import { commands, window } from 'vscode';
import { autoModel } from '../../../../protocol/routing.ts';
import { rowsOfEfforts } from '../../../../protocol/words/effortWords.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { type WritableSettings, withEffort } from '../../../platform/settings.ts';
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
    'folio.selectEffort': () => selectEffort(session, connection, settings),
  });
}

/** The choice is kept for the model, in the person's own settings, and counts from the next request on. */
async function selectEffort(
  { state }: Pick<ActiveSession, 'state'>,
  { models }: Pick<Connection, 'models'>,
  settings: WritableSettings,
): Promise<void> {
  const id = state.model === autoModel ? (state.routed?.model ?? autoModel) : state.model;
  const { label = id, efforts = [] } = models.find(model => model.id === id) ?? {};
  if (efforts.length === 0) {
    const what =
      id === autoModel ? 'Auto has not chosen a model yet.' : `${label} offers no choice of effort.`;
    void window.showInformationMessage(`${what} Choose a model that does with "Folio: Select Model".`);
    return;
  }
  const rows = rowsOfEfforts(efforts, id, settings.get('effort'));
  const picked = await window.showQuickPick(rows, { title: `Effort of ${label}` });
  if (picked) await settings.change('effort', before => withEffort(before, id, picked.effort));
}

async function selectModel(
  session: ActiveSession,
  connection: Connection,
  settings: WritableSettings,
): Promise<void> {
  const { pickModel } = await import('./pickModel.ts');
  const choice = await pickModel({
    offer: () => {
      const { model, routed } = session.state;
      // A model that the person chose before Auto is no choice of Auto's.
      const isAutos = model === autoModel && routed !== undefined && routed.by !== 'choice';
      return {
        current: model,
        models: connection.models,
        provider: nameOf(connection),
        routed: isAutos ? routed.model : undefined,
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
  return kind === 'rehearsal' ? 'Rehearsal' : providerLabels[name];
}
