import { commands, window } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { isAbortError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';

/** Tells the user that an action failed, and logs the cause. Does nothing for an aborted one. */
export function reportFailure(log: Log, what: string, error: unknown): void {
  if (isAbortError(error)) return;
  log.error(what, error);
  offerLog(window.showErrorMessage(`${what}: ${messageOf(error)}`, showLog()));
}

/** Shows a sentence without waiting until the user closes it. */
export function notify(sentence: string): void {
  void window.showInformationMessage(sentence);
}

/** Notifies the user that features are missing. The log has names and causes. */
export function reportMissingFeatures(): void {
  const sentence = t(
    "This editor rejected part of Folio, so some commands or views are missing. Folio's log lists them.",
  );
  offerLog(window.showWarningMessage(sentence, showLog()));
}

const showLog = () => t('Open log');

function offerLog(choice: Thenable<string | undefined>): void {
  void choice.then(chosen => {
    if (chosen) void commands.executeCommand('folio.openLog');
  });
}
