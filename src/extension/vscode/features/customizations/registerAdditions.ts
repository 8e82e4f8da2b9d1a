import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { WindowAdditions } from './windowAdditions.ts';

/** Lists all that is added. */
export function registerAdditions(additions: WindowAdditions, log: Log): Disposable {
  return registerCommands(log, {
    'folio.showAdditions': async () => (await import('./showAdditions.ts')).showAdditions(additions),
    'folio.setUpExtension': async (name?: unknown) =>
      (await import('./setUpExtension.ts')).setUpExtension(additions, name),
  });
}
