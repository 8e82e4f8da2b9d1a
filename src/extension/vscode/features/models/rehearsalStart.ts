import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import type { Connection } from '../../connection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import { registerCommands } from '../commands.ts';

/** Set to 1 to have every window start with the rehearsal, for trying Folio out and for tests. */
const variable = 'FOLIO_REHEARSAL';

/** A scripted model on this machine, for checking Folio without a key. */
export function registerRehearsal(connection: Connection, panel: PanelView, log: Log): Disposable {
  return registerCommands(log, {
    'folio.startRehearsal': async () => {
      await connection.startRehearsal();
      await panel.focus();
    },
  });
}

/** Finds out how a model can be reached, before the panel first says so. */
export async function prepareConnection(
  connection: Connection,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await connection.refresh();
  // How much fits into a request is known from the list alone, and a session that continues needs it at once.
  if (/^(openai|openai-responses|anthropic|vscode)$/.test(connection.name) && connection.kind === 'key') {
    void connection.refreshModels(AbortSignal.timeout(30_000));
  }
  if (env[variable] === '1') await connection.startRehearsal();
}
