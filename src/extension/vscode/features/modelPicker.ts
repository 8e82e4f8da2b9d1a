import { type QuickPickItem, window } from 'vscode';
import type { ModelChoice } from '../../../protocol/messages.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { Connection } from '../connection.ts';
import { registerCommands } from './commands.ts';

export function registerModelPicker(session: ActiveSession, connection: Connection, log: Log): Disposable {
  return registerCommands(log, {
    'folio.selectModel': async () => {
      const abort = new AbortController();
      try {
        const model = await pickModel(session.state.model, connection.refreshModels(abort.signal));
        if (model !== undefined) await session.setModel(model);
      } finally {
        abort.abort();
      }
    },
  });
}

async function pickModel(
  current: string,
  models: Promise<readonly ModelChoice[]>,
): Promise<string | undefined> {
  const items = models.then(list => list.map(model => describe(model, current)));
  const options = { title: 'Select model', placeHolder: `Now: ${current}`, matchOnDescription: true };
  const picked = await window.showQuickPick(items, options);
  return picked?.description;
}

function describe({ id, label, contextLimit }: ModelChoice, current: string): QuickPickItem {
  const tokens = `${Math.round(contextLimit / 1000).toLocaleString('en')}k tokens of context`;
  return { label: id === current ? `$(check) ${label}` : label, description: id, detail: tokens };
}
