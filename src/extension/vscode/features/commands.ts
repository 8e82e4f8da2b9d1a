import { commands } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import { reportFailure } from './report.ts';

/** Commands by their title in the palette, for messages about failures. */
type Titled = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Registers commands by id. Failures are shown to the user. */
export function registerCommands(log: Log, table: Titled): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(table)) {
    const guarded = async (...args: never[]) => {
      try {
        return await run(...args);
      } catch (error) {
        reportFailure(log, t('Folio could not do that'), error);
        return undefined;
      }
    };
    store.add(commands.registerCommand(id, guarded));
  }
  return store;
}
