import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import type { RunSlashCommand } from './showCustomizations.ts';
import type { WindowCustomizations } from './windowCustomizations.ts';

/** Commands that list additions and set up extensions. @param run creates missing ones, by a slash command */
export function registerCustomizations(
  additions: WindowCustomizations,
  run: RunSlashCommand,
  log: Log,
): Disposable {
  return registerCommands(log, {
    'folio.showAdditions': async () =>
      (await import('./showCustomizations.ts')).showCustomizations(additions, run),
    'folio.setUpExtension': async (name?: unknown) =>
      (await import('./setUpExtension.ts')).setUpExtension(additions, name),
  });
}
