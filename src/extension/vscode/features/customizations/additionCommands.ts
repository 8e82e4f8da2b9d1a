import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { RunCommand } from './showAdditions.ts';
import type { WindowAdditions } from './windowAdditions.ts';

/** Commands that list additions and set up extensions. @param run creates missing ones, by a slash command */
export function registerAdditionCommands(additions: WindowAdditions, run: RunCommand, log: Log): Disposable {
  return registerCommands(log, {
    'folio.showAdditions': async () => (await import('./showAdditions.ts')).showAdditions(additions, run),
    'folio.setUpExtension': async (name?: unknown) =>
      (await import('./setUpExtension.ts')).setUpExtension(additions, name),
  });
}
