import { commands, window } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { isAbortError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';

/** Tells the person that something they asked for went wrong, and leaves the cause in the log. */
export function report(log: Log, what: string, error: unknown): void {
  if (isAbortError(error)) return;
  log.error(what, error);
  void window.showErrorMessage(`${what}: ${messageOf(error)}`, t('Open log')).then(choice => {
    if (choice) void commands.executeCommand('folio.openLog');
  });
}
