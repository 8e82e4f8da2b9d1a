import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { KeyDialogs } from './keyDialogs.ts';

/** Commands that set and clear API keys. The dialogs are loaded on first use. */
export function registerKeyCommands(dialogs: () => Promise<KeyDialogs>, log: Log): Disposable {
  return registerCommands(log, {
    'folio.setApiKey': async () => (await dialogs()).setKey(),
    'folio.clearApiKey': async () => (await dialogs()).clearKey(),
  });
}
