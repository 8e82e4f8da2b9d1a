import { t } from '../../../protocol/language.ts';
import { parseModelName } from '../../platform/modelNames.ts';
import type { ApiKeyName } from '../../platform/secrets.ts';
import {
  defaultSettings,
  type ProviderName,
  type SettingValues,
  type WritableSettings,
} from '../../platform/settings.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { ModelConnection } from '../modelConnection.ts';
import type { VscodeApiKeys } from '../ports/vscodeApiKeys.ts';
import { type Deployment, isAtAzure } from './azureAddresses.ts';
import type { KeyAnswer } from './connectDialogs.ts';
import type { KeylessServer } from './keylessServer.ts';

/** A chat-completions server, and the key that the user gave for it. */
export interface ChatServer {
  readonly address: string;
  readonly key: string | undefined;
}

export type EnteredKey = Pick<Extract<KeyAnswer, { kind: 'key' }>, 'key' | 'problem'>;

type Listed = readonly { readonly id: string }[];

const addressNames = ['openai.baseUrl', 'openaiResponses.baseUrl', 'openaiResponses.signIn'] as const;

type Chosen = Pick<SettingValues, 'provider' | 'model'> &
  Partial<Pick<SettingValues, (typeof addressNames)[number]>>;

/**
 * The only writer of the user's choice of a model, which takes effect at once. Each method that saves returns a
 * sentence if another setting overrides the choice.
 */
export class ChosenModelWriter {
  private readonly settings: WritableSettings;
  private readonly apiKeys: Pick<VscodeApiKeys, 'write'>;
  private readonly keyless: KeylessServer;
  private readonly connection: ModelConnection;
  private readonly session: Pick<ActiveSession, 'present' | 'setModel'>;

  constructor(
    settings: WritableSettings,
    apiKeys: Pick<VscodeApiKeys, 'write'>,
    keyless: KeylessServer,
    connection: ModelConnection,
    session: Pick<ActiveSession, 'present' | 'setModel'>,
  ) {
    this.settings = settings;
    this.apiKeys = apiKeys;
    this.keyless = keyless;
    this.connection = connection;
    this.session = session;
  }

  /** @param listed empty if the key could not be tried */
  saveListed(
    provider: Exclude<ProviderName, 'openai' | 'vscode'>,
    listed: Listed,
  ): Promise<string | undefined> {
    const model = this.fitting(listed);
    const isAtAzure = provider === 'openai-responses' && this.azure.address !== '';
    if (!isAtAzure) return this.save({ provider, model }, this.kept(provider, listed));
    return this.save({
      provider,
      model,
      'openaiResponses.baseUrl': '',
      'openaiResponses.signIn': 'key',
    });
  }

  /** The configured deployment. If an address is set, a stored key for the OpenAI provider belongs to it. */
  get azure(): Deployment {
    const address = this.settings.get('openaiResponses.baseUrl');
    const isUsed = isAtAzure(address) || this.settings.get('openaiResponses.signIn') === 'entra';
    if (!isUsed || address === '') return { address: '', name: '' };
    const isChosen = this.settings.get('provider') === 'openai-responses';
    return { address, name: isChosen ? this.settings.get('model') : '' };
  }

  /** @param answer absent to use the user's Microsoft account */
  async saveAzure({ address, name }: Deployment, answer?: EnteredKey): Promise<string | undefined> {
    if (answer) await this.saveKey('openai-responses', answer.key, answer.problem);
    return this.save({
      provider: 'openai-responses',
      model: name,
      'openaiResponses.baseUrl': address,
      'openaiResponses.signIn': answer ? 'key' : 'entra',
    });
  }

  saveVscode(model: string): Promise<string | undefined> {
    return this.save({ provider: 'vscode', model });
  }

  async saveServer({ address, key }: ChatServer, model: string): Promise<string | undefined> {
    if (key !== undefined) await this.saveKey('openai', key);
    this.keyless.remember(key === undefined ? address : undefined);
    return this.save({ provider: 'openai', model, 'openai.baseUrl': address });
  }

  /** @param problem why the key does not work, if the user saves it anyway */
  async saveKey(owner: ApiKeyName, key: string, problem?: string): Promise<void> {
    await this.apiKeys.write(owner, key);
    this.connection.reportKey(owner, problem);
  }

  saveProject(project: string): Promise<void> {
    return this.settings.save({ 'vertex.project': project });
  }

  saveRegion(region: string): Promise<void> {
    return this.settings.save({ 'bedrock.region': region });
  }

  /** Prefers the configured model if listed, then the default, then the first. */
  private fitting(listed: Listed): string {
    const wanted = [this.settings.get('model'), defaultSettings.model];
    const found = wanted.find(model => model === 'auto' || listed.some(({ id }) => id === model));
    return found ?? listed[0]?.id ?? defaultSettings.model;
  }

  /** Returns the session's model, if a new key for the same provider still has it. */
  private kept(provider: ProviderName, listed: Listed): string | undefined {
    const model = this.session.present?.state.model;
    if (model === undefined || this.settings.get('provider') !== provider) return undefined;
    const place = parseModelName(model, provider, this.connection.others);
    const isListed = listed.length === 0 || listed.some(({ id }) => id === model);
    return model === 'auto' || place.provider !== provider || isListed ? model : undefined;
  }

  /** @param model for the shown session; absent for the chosen one */
  private async save(chosen: Chosen, model = chosen.model): Promise<string | undefined> {
    // The provider is saved last: until then requests continue as before.
    const { provider, ...others } = chosen;
    await this.settings.save({ ...others, provider });
    const other = this.findOther(chosen);
    if (other) return other;
    await this.connection.endRehearsal();
    await this.connection.refresh();
    // Only the list has the context limits.
    if (/^(openai|openai-responses|anthropic|bedrock|vscode)$/.test(provider))
      void this.connection.refreshModels(AbortSignal.timeout(30_000));
    const { present } = this.session;
    if (present && present.state.model !== model) await this.session.setModel(model);
    return undefined;
  }

  private findOther(chosen: Chosen): string | undefined {
    const names = ['provider', 'model', ...addressNames] as const;
    const other = names.find(name => name in chosen && this.settings.get(name) !== chosen[name]);
    if (!other) return undefined;
    return t(
      'The workspace setting folio.{0} overrides your own. Remove it from the workspace settings, then choose again.',
      other,
    );
  }
}
