import type { ModelChoice, Surroundings } from '../../protocol/messages.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import type { ModelInfo, ModelProvider } from '../core/model.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { ProviderName } from '../platform/settings.ts';

/** Where requests go and with which key, asked for at each request. */
export interface Endpoint {
  readonly provider: () => ProviderName;
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Empty: the provider's own address. */
  readonly baseUrl: (provider: ProviderName) => string;
}

/** A model server on this machine that plays a script. */
export interface Rehearsal {
  readonly baseUrl: string;
  dispose(): Promise<void>;
}

export interface ConnectionParts {
  readonly secrets: Secrets;
  /** Whom the person has chosen. */
  readonly provider: () => ProviderName;
  readonly baseUrl: (provider: ProviderName) => string;
  readonly createProvider: (endpoint: Endpoint) => ModelProvider;
  readonly startRehearsal: () => Promise<Rehearsal>;
  readonly log: Log;
}

const fallbackLimit = 1_048_576;

/** What can be picked before Gemini was asked. */
const fallbackModels: readonly ModelChoice[] = [
  { id: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro', contextLimit: fallbackLimit },
  { id: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash', contextLimit: fallbackLimit },
  { id: 'gemini-2.5-flash-lite', label: 'Gemini 2.5 Flash-Lite', contextLimit: fallbackLimit },
];

/** Some services give no name for people, or the id once more. */
function withKnownLabel(model: ModelChoice): ModelChoice {
  const known = fallbackModels.find(({ id }) => id === model.id);
  return known && (model.label === '' || model.label === model.id) ? { ...model, label: known.label } : model;
}

/** How Folio reaches a model: with the person's key, or by a rehearsal on this machine. */
export class Connection implements Disposable {
  private readonly parts: ConnectionParts;
  private readonly changed = new Emitter<void>();
  private rehearsal: Promise<Rehearsal> | undefined;
  private rehearsing: Rehearsal | undefined;
  private hasKey = false;
  private listed: readonly ModelChoice[] = [];
  /** Whom the list is of. */
  private listedBy = '';

  readonly onDidChange = this.changed.event;
  /** Stays the same object; a new key or address counts from the next request on. */
  readonly provider: ModelProvider;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
    this.provider = parts.createProvider({
      provider: () => this.name,
      apiKey: async name => (this.rehearsing ? 'rehearsal' : parts.secrets.read(name)),
      baseUrl: name => this.rehearsing?.baseUrl ?? parts.baseUrl(name),
    });
  }

  /** Who answers; the rehearsal speaks like Gemini. */
  get name(): ProviderName {
    return this.rehearsing ? 'gemini' : this.parts.provider();
  }

  /** Whom the person has chosen, also while the rehearsal plays. */
  get chosen(): ProviderName {
    return this.parts.provider();
  }

  get kind(): Surroundings['connection'] {
    if (this.rehearsing) return 'rehearsal';
    return this.hasKey ? 'key' : 'none';
  }

  /** The rehearsal answers to any name, so it offers the usual ones. */
  get models(): readonly ModelChoice[] {
    if (!this.rehearsing && this.isListed) return this.listed;
    return this.name === 'gemini' ? fallbackModels : [];
  }

  /** Asking the provider would tell nothing new. */
  get modelsAreListed(): boolean {
    return this.isListed || this.rehearsing !== undefined;
  }

  /** Looks again whether there is a key, or a server of the person's own, which may need none. */
  async refresh(): Promise<void> {
    const { secrets, provider, baseUrl } = this.parts;
    const hadKey = this.hasKey;
    const name = provider();
    const isOwn = name === 'openai' && baseUrl(name) !== '';
    this.hasKey = isOwn || (await secrets.read(name)) !== undefined;
    if (hadKey !== this.hasKey) this.changed.fire();
  }

  /** Asks the provider which models there are; on failure the known ones stay. */
  async refreshModels(signal: AbortSignal): Promise<readonly ModelChoice[]> {
    if (this.rehearsing) return this.models;
    const { source } = this;
    try {
      this.listed = (await this.provider.listModels(signal)).map(withKnownLabel);
      this.listedBy = source;
      this.changed.fire();
    } catch (error) {
      this.parts.log.warn(`Models could not be listed: ${messageOf(error)}`);
    }
    return this.models;
  }

  /** Rejects with a `ModelError` when the key does not work. */
  check(name: ProviderName, apiKey: string, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { createProvider, baseUrl } = this.parts;
    return createProvider({ provider: () => name, apiKey: async () => apiKey, baseUrl }).listModels(signal);
  }

  /** From now on requests go to the rehearsal. A failed start can be tried again. */
  async startRehearsal(): Promise<void> {
    this.rehearsal ??= this.parts.startRehearsal();
    try {
      this.rehearsing = await this.rehearsal;
    } catch (error) {
      this.rehearsal = undefined;
      throw error;
    }
    this.changed.fire();
  }

  /** Back to the provider. */
  async endRehearsal(): Promise<void> {
    const { rehearsing } = this;
    this.rehearsal = undefined;
    this.rehearsing = undefined;
    if (!rehearsing) return;
    this.changed.fire();
    await rehearsing.dispose();
  }

  async close(): Promise<void> {
    await this.rehearsing?.dispose();
    this.dispose();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private get isListed(): boolean {
    return this.listed.length > 0 && this.listedBy === this.source;
  }

  private get source(): string {
    const { provider, baseUrl } = this.parts;
    return `${provider()} ${baseUrl(provider())}`;
  }
}
