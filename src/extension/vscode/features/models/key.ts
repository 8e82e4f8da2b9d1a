import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { KeyDialogs } from './keyDialogs.ts';

/** Setting and clearing the API key. The dialogs are loaded when a user wants to. */
export function registerKey(dialogs: () => Promise<KeyDialogs>, log: Log): Disposable {
  return registerCommands(log, {
    'folio.setApiKey': async () => (await dialogs()).setKey(),
    'folio.clearApiKey': async () => (await dialogs()).clearKey(),
  });
}
