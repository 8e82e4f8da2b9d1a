import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { registerCommands } from '../commands.ts';

/** `1` starts every window with the rehearsal, for demos and tests. */
const variable = 'FOLIO_REHEARSAL';

/** Command that starts a scripted local model, to try Folio without a key. */
export function registerRehearsalCommand(
  connection: ModelConnection,
  panel: PanelView,
  log: Log,
): Disposable {
  return registerCommands(log, {
    'folio.startRehearsal': async () => {
      await connection.startRehearsal();
      await panel.focus();
    },
  });
}

/** Finds the ways to reach a model before the panel shows them. */
export async function prepareConnection(
  connection: ModelConnection,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await connection.refresh();
  // The context limit is known only from the list, and a resumed session needs it at once.
  if (/^(openai|openai-responses|anthropic|vscode)$/.test(connection.name) && connection.kind === 'key') {
    void connection.refreshModels(AbortSignal.timeout(30_000));
  }
  if (env[variable] === '1') await connection.startRehearsal();
}
