import { commands } from 'vscode';
import { autoModel } from '../../../../protocol/routing.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { ProviderName } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { Connection } from '../../connection.ts';
import { registerCommands } from '../commands.ts';

export function registerModelPicker(session: ActiveSession, connection: Connection, log: Log): Disposable {
  return registerCommands(log, { 'folio.selectModel': () => selectModel(session, connection) });
}

async function selectModel(session: ActiveSession, connection: Connection): Promise<void> {
  const { pickModel } = await import('./pickModel.ts');
  const choice = await pickModel({
    offer: () => {
      const { model, routed } = session.state;
      // What the person chose before Auto is no choice of Auto's.
      const isAutos = model === autoModel && routed !== undefined && routed.by !== 'choice';
      return {
        current: model,
        models: connection.models,
        provider: nameOf(connection),
        routed: isAutos ? routed.model : undefined,
      };
    },
    list: async signal => {
      await connection.refreshModels(signal);
      return connection.listTrouble;
    },
  });
  if (choice?.kind === 'model') await session.setModel(choice.model);
  if (choice?.kind === 'provider') await commands.executeCommand('folio.connect');
}

function nameOf({ kind, name }: Connection): string {
  return kind === 'rehearsal' ? 'Rehearsal' : providers[name];
}

/** As the setting calls them. */
const providers: Readonly<Record<ProviderName, string>> = {
  gemini: 'Gemini',
  openai: 'OpenAI-compatible',
  vertex: 'Vertex AI',
  vscode: "VS Code's models",
};
