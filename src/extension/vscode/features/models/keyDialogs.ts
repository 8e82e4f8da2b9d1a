import { commands, window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import type { ApiKeyName } from '../../../platform/secrets.ts';
import type { ProviderName } from '../../../platform/settings.ts';
import type { KeyAnswer } from '../../connect/connectDialogs.ts';
import type { ConnectFlow } from '../../connect/connectFlow.ts';
import type { KeylessServer } from '../../connect/keylessServer.ts';
import { describeKeyProblem, keyOwners } from '../../connect/keyMethod.ts';
import { keyQuestionFor, openAiAddress } from '../../connect/serverMethod.ts';
import { vscodeConnectDialogs } from '../../connect/vscodeConnectDialogs.ts';
import type { ModelConnection } from '../../modelConnection.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { VscodeApiKeys } from '../../ports/vscodeApiKeys.ts';

type MisplacedKey = Extract<KeyAnswer, { kind: 'misplaced' }>;

interface Keyless {
  /** Describes what it needs instead of a key. */
  readonly needs: string;
  readonly action: string;
  readonly command: readonly [string, ...string[]];
}

const keyless = (): Readonly<Record<'vertex' | 'vscode', Keyless>> => ({
  vertex: {
    needs: t(
      'Vertex AI takes no API key but your Google credentials. Run "gcloud auth application-default login" in a terminal, and set folio.vertex.project.',
    ),
    action: t('Open settings'),
    command: ['workbench.action.openSettings', 'folio.vertex'],
  },
  vscode: {
    needs: t(
      "VS Code's models need no API key here. The extension that offers them signs in, and VS Code asks you once whether Folio may use them.",
    ),
    action: t('Select model'),
    command: ['folio.selectModel'],
  },
});

/** Dialogs to set and clear keys. A key goes from VS Code's input box only to its secret storage. */
export class KeyDialogs {
  private readonly apiKeys: VscodeApiKeys;
  private readonly keyless: KeylessServer;
  private readonly connection: ModelConnection;
  private readonly flow: () => Promise<ConnectFlow>;
  private readonly panel: PanelView;

  /** @param flow gets keys that belong elsewhere */
  constructor(
    apiKeys: VscodeApiKeys,
    keylessServer: KeylessServer,
    connection: ModelConnection,
    flow: () => Promise<ConnectFlow>,
    panel: PanelView,
  ) {
    this.apiKeys = apiKeys;
    this.keyless = keylessServer;
    this.connection = connection;
    this.flow = flow;
    this.panel = panel;
  }

  async setKey(): Promise<void> {
    const misplaced = await this.panel.keepFocus(() => this.askKey());
    if (misplaced) await this.useElsewhere(misplaced);
  }

  async clearKey(): Promise<void> {
    const { apiKeys, connection } = this;
    const { chosen } = connection;
    const provider = isKeyless(chosen) ? 'gemini' : await askProvider(chosen, t('Clear API key'));
    if (!provider) return;
    await apiKeys.clear(provider);
    connection.reportKey(provider, undefined);
    await connection.refresh();
    const variable = apiKeys.findVariable(provider);
    const more = variable
      ? ` ${t('The one in the environment variable {0} is used from now on.', variable)}`
      : '';
    void window.showInformationMessage(t('The stored API key was removed.') + more);
  }

  /** Returns a key that belongs to another provider. */
  private async askKey(): Promise<MisplacedKey | undefined> {
    const { chosen } = this.connection;
    const provider = isKeyless(chosen)
      ? await reportNeeds(keyless()[chosen])
      : await askProvider(chosen, t('Set API key'));
    return provider && (await this.setKeyOf(provider));
  }

  private async setKeyOf(provider: ApiKeyName): Promise<MisplacedKey | undefined> {
    const address = this.connection.addressOf(provider) || openAiAddress;
    const owner = provider === 'openai' ? undefined : keyOwners()[provider];
    const question = owner?.question ?? keyQuestionFor(address);
    // Listing the models is the cheapest request that needs a key.
    const tryKey = async (key: string, signal: AbortSignal) => {
      try {
        await this.connection.check(provider, key, signal);
        return undefined;
      } catch (error) {
        signal.throwIfAborted();
        return owner ? describeKeyProblem(owner, error) : messageOf(error);
      }
    };
    const answer = await vscodeConnectDialogs.askKey({ ...question, tryKey }, new AbortController().signal);
    if (answer.kind === 'left') return undefined;
    if (answer.kind === 'misplaced') return answer;
    await this.apiKeys.write(provider, answer.key);
    if (provider === 'openai') this.keyless.remember(undefined);
    this.connection.reportKey(provider, answer.problem);
    await this.connection.endRehearsal();
    await this.connection.refresh();
    if (answer.problem === undefined) {
      void window.showInformationMessage(t('The API key works and is stored.'));
      return undefined;
    }
    const again = t('Set API key');
    const stored = t('The API key is stored, but does not work yet. {0}', answer.problem);
    void window
      .showWarningMessage(stored, again)
      .then(choice => (choice === again ? commands.executeCommand('folio.setApiKey') : undefined));
    return undefined;
  }

  private async useElsewhere({ owner, key }: MisplacedKey): Promise<void> {
    await this.panel.show('connect');
    await (await this.flow()).useKey(owner, key);
  }
}

function isKeyless(provider: ProviderName): provider is 'vertex' | 'vscode' {
  return provider === 'vertex' || provider === 'vscode';
}

/** The user may still want to store a key, for a later change of provider. */
async function reportNeeds({ needs, action, command }: Keyless): Promise<ApiKeyName | undefined> {
  const setGeminiKey = t('Set a Gemini key');
  const picked = await window.showInformationMessage(needs, { modal: true }, action, setGeminiKey);
  if (picked === action) await commands.executeCommand(...command);
  return picked === setGeminiKey ? 'gemini' : undefined;
}

/** Skips the question if the user never chose another provider. */
async function askProvider(chosen: ApiKeyName, title: string): Promise<ApiKeyName | undefined> {
  if (chosen === 'gemini') return chosen;
  const items = ([chosen, 'gemini'] as const).map(name => ({
    label: t('Key for {0}', ownerName(name)),
    name,
  }));
  return (await window.showQuickPick(items, { title }))?.name;
}

function ownerName(name: ApiKeyName): string {
  return name === 'openai' ? t('the OpenAI-compatible server') : keyOwners()[name].question.of;
}
