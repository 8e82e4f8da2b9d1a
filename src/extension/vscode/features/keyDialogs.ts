import { commands, ProgressLocation, window } from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { ModelError } from '../../core/model.ts';
import type { SecretName } from '../../platform/secrets.ts';
import type { ProviderName } from '../../platform/settings.ts';
import type { Connection } from '../connection.ts';
import type { VscodeSecrets } from '../ports/vscodeSecrets.ts';

const again = 'Try another key';
const anyway = 'Store it anyway';

/** Whose key it is, as it reads in a sentence. */
const owners: Readonly<Record<SecretName, string>> = {
  gemini: 'the Gemini API',
  openai: 'the OpenAI-compatible server',
};

interface Keyless {
  /** What it needs in a key's place. */
  readonly needs: string;
  readonly action: string;
  readonly command: readonly [string, ...string[]];
}

const keyless: Readonly<Record<Exclude<ProviderName, SecretName>, Keyless>> = {
  vertex: {
    needs:
      'Vertex AI takes no API key but your Google credentials. Run "gcloud auth application-default login" in a terminal, and set folio.vertex.project.',
    action: 'Open settings',
    command: ['workbench.action.openSettings', 'folio.vertex'],
  },
  vscode: {
    needs:
      "VS Code's models take no API key here: the extension that offers them knows how it signs in, and VS Code asks you once whether Folio may use them.",
    action: 'Select model',
    command: ['folio.selectModel'],
  },
};

/** The key goes from the input box to VS Code's secret storage and nowhere else. */
export async function setKey(secrets: VscodeSecrets, connection: Connection): Promise<void> {
  const { chosen } = connection;
  const provider = isKeyless(chosen)
    ? await tellNeeds(keyless[chosen])
    : await askProvider(chosen, 'Set API key');
  if (provider) await setKeyOf(provider, secrets, connection);
}

function isKeyless(provider: ProviderName): provider is keyof typeof keyless {
  return Object.hasOwn(keyless, provider);
}

const geminiKey = 'Set a Gemini key';

/** A person may want a key all the same, for the day on which they choose another provider. */
async function tellNeeds({ needs, action, command }: Keyless): Promise<SecretName | undefined> {
  const picked = await window.showInformationMessage(needs, action, geminiKey);
  if (picked === action) await commands.executeCommand(...command);
  return picked === geminiKey ? 'gemini' : undefined;
}

/** Who never chose another provider is not asked. */
async function askProvider(chosen: SecretName, title: string): Promise<SecretName | undefined> {
  if (chosen === 'gemini') return chosen;
  const items = ([chosen, 'gemini'] as const).map(name => ({ label: `Key for ${owners[name]}`, name }));
  return (await window.showQuickPick(items, { title }))?.name;
}

async function setKeyOf(provider: SecretName, secrets: VscodeSecrets, connection: Connection): Promise<void> {
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
  provider: SecretName,
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

export async function clearKey(secrets: VscodeSecrets, connection: Connection): Promise<void> {
  const { chosen } = connection;
  const provider = isKeyless(chosen) ? 'gemini' : await askProvider(chosen, 'Clear API key');
  if (!provider) return;
  await secrets.clear(provider);
  await connection.refresh();
  const variable = secrets.findVariable(provider);
  const more = variable ? ` The one in the environment variable ${variable} is used from now on.` : '';
  void window.showInformationMessage(`The stored API key was removed.${more}`);
}
