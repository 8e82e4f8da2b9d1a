import { ProgressLocation, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { ModelError } from '../../core/model.ts';
import type { Log } from '../../platform/log.ts';
import type { ProviderName } from '../../platform/settings.ts';
import type { Connection } from '../connection.ts';
import type { VscodeSecrets } from '../ports/vscodeSecrets.ts';
import { registerCommands } from './commands.ts';

const again = 'Try another key';
const anyway = 'Store it anyway';

/** Whose key it is, as it reads in a sentence. */
const owners: Readonly<Record<ProviderName, string>> = {
  gemini: 'the Gemini API',
  openai: 'the OpenAI-compatible server',
};

/** Setting and clearing the API key. The key goes from the input box to VS Code's secret storage and nowhere else. */
export function registerKey(secrets: VscodeSecrets, connection: Connection, log: Log): Disposable {
  return registerCommands(log, {
    'folio.setApiKey': () => setKey(secrets, connection),
    'folio.clearApiKey': () => clearKey(secrets, connection),
  });
}

async function setKey(secrets: VscodeSecrets, connection: Connection): Promise<void> {
  const provider = await askProvider(connection, 'Set API key');
  if (provider) await setKeyOf(provider, secrets, connection);
}

/** Who never chose another provider is not asked. */
async function askProvider(connection: Connection, title: string): Promise<ProviderName | undefined> {
  const { chosen } = connection;
  if (chosen === 'gemini') return chosen;
  const items = ([chosen, 'gemini'] as const).map(name => ({ label: `Key for ${owners[name]}`, name }));
  return (await window.showQuickPick(items, { title }))?.name;
}

async function setKeyOf(
  provider: ProviderName,
  secrets: VscodeSecrets,
  connection: Connection,
): Promise<void> {
  const typed = await window.showInputBox({
    title: 'Set API key',
    prompt: `Key for ${owners[provider]}. It is kept in the secret storage of VS Code.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (text.trim() === '' ? 'Type the key, or press Escape to leave.' : undefined),
  });
  const key = typed?.trim();
  if (!key) return;
  const trouble = await tryKey(provider, connection, key);
  if (trouble !== undefined) {
    const choice = await window.showWarningMessage(trouble, again, anyway);
    if (choice === again) return setKeyOf(provider, secrets, connection);
    if (choice !== anyway) return;
  }
  await secrets.write(provider, key);
  await connection.endRehearsal();
  await connection.refresh();
  if (trouble === undefined) void window.showInformationMessage('The API key works and is stored.');
}

/** Lists the models with the key: the cheapest request that needs one. Returns what went wrong. */
async function tryKey(
  provider: ProviderName,
  connection: Connection,
  key: string,
): Promise<string | undefined> {
  const abort = new AbortController();
  const options = { location: ProgressLocation.Notification, title: 'Trying the API key', cancellable: true };
  return window.withProgress(options, async (_progress, cancellation) => {
    cancellation.onCancellationRequested(() => abort.abort());
    try {
      await connection.check(provider, key, abort.signal);
      return undefined;
    } catch (error) {
      if (abort.signal.aborted) return 'The API key was not tried to the end.';
      const isRejected = error instanceof ModelError && error.kind === 'auth';
      return isRejected && provider === 'gemini' ? 'Gemini rejected this API key.' : messageOf(error);
    }
  });
}

async function clearKey(secrets: VscodeSecrets, connection: Connection): Promise<void> {
  const provider = await askProvider(connection, 'Clear API key');
  if (!provider) return;
  await secrets.clear(provider);
  await connection.refresh();
  const variable = secrets.findVariable(provider);
  const more = variable ? ` The one in the environment variable ${variable} is used from now on.` : '';
  void window.showInformationMessage(`The stored API key was removed.${more}`);
}
