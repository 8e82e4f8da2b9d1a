import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import type { Connection } from '../connection.ts';
import type { VscodeSecrets } from '../ports/vscodeSecrets.ts';
import { registerCommands } from './commands.ts';

/** Setting and clearing the API key. What asks for it is loaded when a person wants to. */
export function registerKey(secrets: VscodeSecrets, connection: Connection, log: Log): Disposable {
  return registerCommands(log, {
    'folio.setApiKey': async () => (await import('./keyDialogs.ts')).setKey(secrets, connection),
    'folio.clearApiKey': async () => (await import('./keyDialogs.ts')).clearKey(secrets, connection),
  });
}
