import type { Environment, ModelChoice } from '../../protocol/panel/messages.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import { once } from '../base/once.ts';
import { ModelError, type ModelInfo, type ModelProvider } from '../core/model.ts';
import { observeTraffic } from '../core/traffic/observeTraffic.ts';
import { RecentTraffic } from '../core/traffic/recentTraffic.ts';
import type { Log } from '../platform/log.ts';
import { type ProviderName, providerNames } from '../platform/settings.ts';
import type { WireServer } from '../rehearsal/wireServer.ts';

/** The target and key of requests, read for each request. */
export interface Endpoint {
  readonly provider: () => ProviderName;
  /** Further providers whose models may be named. */
  readonly others: () => readonly ProviderName[];
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Empty for the provider's default address. */
  readonly baseUrl: (provider: ProviderName) => string;
  /** True while a local script answers instead of a model. */
  readonly isRehearsal?: () => boolean;
}

interface ProviderOffer {
  readonly provider: ProviderName;
  readonly models: readonly ModelChoice[];
}

type AddPrices = (provider: ProviderName, models: readonly ModelChoice[]) => readonly ModelChoice[];

export interface ModelConnectionParts {
  readonly apiKey: Endpoint['apiKey'];
  /** Returns whether the provider has everything that a request needs, such as a key. Does not load its code. */
  readonly isReady: (provider: ProviderName) => Promise<boolean>;
  /** Models to offer before the provider has listed its own. The same array each time. */
  readonly knownModels: (provider: ProviderName) => readonly ModelChoice[];
  /** Loads the function that adds known prices to models. */
  readonly loadPrices: () => Promise<AddPrices>;
  readonly provider: () => ProviderName;
  readonly others: Endpoint['others'];
  readonly baseUrl: (provider: ProviderName) => string;
  readonly createProvider: (endpoint: Endpoint) => ModelProvider;
  readonly startRehearsal: () => Promise<WireServer>;
  readonly log: Log;
}

/** Connects Folio to a model: with the user's key, or to a rehearsal on this machine. */
export class ModelConnection implements Disposable {
  private readonly parts: ModelConnectionParts;
  private readonly changed = new Emitter<void>();
  private rehearsal: Promise<WireServer> | undefined;
  private rehearsing: WireServer | undefined;
  private isReady = false;
  private readonly prices = once(async () => {
    this.addPrices = await this.parts.loadPrices();
    this.changed.fire();
  });
  /** Models are shown without prices until these are loaded. */
  private addPrices: AddPrices = (_, models) => models;
  private newestScan: Promise<boolean> | undefined;
  private listed: readonly ModelChoice[] = [];
  /** The provider whose models are listed. */
  private listedBy = '';
  private problem: string | undefined;
  private readonly keyFaults = new Map<ProviderName, string>();

  readonly onDidChange = this.changed.event;
  /** The newest requests and answers of this window, in memory only. */
  readonly traffic = new RecentTraffic();
  /** Never replaced; a new key or address applies from the next request on. */
  readonly provider: ModelProvider;

  constructor(parts: ModelConnectionParts) {
    this.parts = parts;
    const provider = parts.createProvider({
      provider: () => this.name,
      others: () => this.others,
      isRehearsal: () => this.isRehearsal,
      apiKey: async name => (this.rehearsing ? 'rehearsal' : parts.apiKey(name)),
      baseUrl: name => this.rehearsing?.baseUrl ?? parts.baseUrl(name),
    });
    this.provider = observeTraffic(provider, {
      request: request => {
        const reportAnswer = this.traffic.request(request);
        return (events, end) => {
          reportAnswer(events, end);
          if (end.ok && this.keyProblem !== undefined) this.reportKey(this.name, undefined);
        };
      },
    });
  }

  /** The provider that answers. The rehearsal uses Gemini's protocol. */
  get name(): ProviderName {
    return this.rehearsing ? 'gemini' : this.parts.provider();
  }

  /** Empty during a rehearsal. */
  get others(): readonly ProviderName[] {
    return this.rehearsing ? [] : this.parts.others();
  }

  /** The provider that the user has chosen, even during a rehearsal. */
  get chosen(): ProviderName {
    return this.parts.provider();
  }

  /** Empty for the provider's default. */
  addressOf(provider: ProviderName): string {
    return this.parts.baseUrl(provider);
  }

  get isRehearsal(): boolean {
    return this.rehearsing !== undefined;
  }

  get kind(): Environment['connection'] {
    if (this.isRehearsal) return 'rehearsal';
    return this.isReady ? 'key' : 'none';
  }

  /** The rehearsal accepts any model name, so it offers the default ones. */
  get models(): readonly ModelChoice[] {
    const isListed = !this.rehearsing && this.isListed;
    return this.addPrices(this.name, isListed ? this.listed : this.parts.knownModels(this.name));
  }

  /** Why listing the models failed last, a sentence for the user; `undefined` if it succeeded. */
  get listProblem(): string | undefined {
    return this.problem;
  }

  /** Why the key in use does not work, a sentence for the user; `undefined` if it works or was not tried. */
  get keyProblem(): string | undefined {
    return this.kind === 'key' ? this.keyFaults.get(this.name) : undefined;
  }

  /** @param problem `undefined`: the provider's key works */
  reportKey(provider: ProviderName, problem: string | undefined): void {
    if (problem === undefined) this.keyFaults.delete(provider);
    else this.keyFaults.set(provider, problem);
    this.changed.fire();
  }

  /** True if asking the provider would bring nothing new. */
  get modelsAreListed(): boolean {
    return this.isListed || this.rehearsing !== undefined;
  }

  /** Checks again whether a request could be answered. */
  async refresh(): Promise<void> {
    const { provider, isReady } = this.parts;
    const scan = isReady(provider());
    this.newestScan = scan;
    const [found] = await Promise.all([scan, this.loadPrices()]);
    // A later scan has newer facts, even if it ended earlier.
    if (this.newestScan !== scan) return void (await this.newestScan);
    const wasReady = this.isReady;
    this.isReady = found;
    if (wasReady !== found) this.changed.fire();
  }

  /** Models work without prices: a failure is logged, and the next call tries again. */
  private loadPrices(): Promise<void> {
    return this.prices().catch(error => {
      this.parts.log.warn(`Prices could not be loaded: ${messageOf(error)}`);
    });
  }

  /** Lists the models again, since the provider's list is outdated. */
  async relist(signal: AbortSignal): Promise<void> {
    this.listedBy = '';
    await this.refresh();
    if (this.isReady) await this.refreshModels(signal);
    else this.changed.fire();
  }

  /** Asks the provider for its models. Keeps the known ones on failure. */
  async refreshModels(signal: AbortSignal): Promise<readonly ModelChoice[]> {
    if (this.rehearsing) return this.models;
    const { source } = this;
    try {
      this.listed = (await this.provider.listModels(signal)).map(model => this.withKnownLabel(model));
      this.listedBy = source;
      this.problem = undefined;
      this.reportKey(this.name, undefined);
    } catch (error) {
      this.problem = messageOf(error);
      if (error instanceof ModelError && error.kind === 'auth') this.reportKey(this.name, this.problem);
      this.parts.log.warn(`Models could not be listed: ${this.problem}`);
    }
    return this.models;
  }

  /**
   * Returns models of every provider that is usable now, to choose one from another provider. A provider that does not
   * answer in time offers its known models.
   */
  async offerAll(signal: AbortSignal): Promise<readonly ProviderOffer[]> {
    const offers = await Promise.all(providerNames.map(name => this.offerOf(name, signal)));
    return offers.filter(({ models }) => models.length > 0);
  }

  private async offerOf(provider: ProviderName, signal: AbortSignal): Promise<ProviderOffer> {
    const { createProvider, apiKey, baseUrl, isReady, knownModels, log } = this.parts;
    if (!(await isReady(provider))) return { provider, models: [] };
    const asked = createProvider({ provider: () => provider, others: () => [], apiKey, baseUrl });
    const models = await asked.listModels(signal).catch(error => {
      log.warn(`Models of ${provider} could not be listed: ${messageOf(error)}`);
      return knownModels(provider);
    });
    await this.loadPrices();
    return { provider, models: this.addPrices(provider, models) };
  }

  /** Rejects with a `ModelError` if the key does not work. */
  check(name: ProviderName, apiKey: string, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.at(name, apiKey).listModels(signal);
  }

  /**
   * Returns a provider other than the chosen one, to try it out.
   * @param address replaces the configured one
   */
  at(name: ProviderName, apiKey: string | undefined, address?: string): ModelProvider {
    const { createProvider, baseUrl } = this.parts;
    return createProvider({
      provider: () => name,
      others: () => [],
      apiKey: async () => apiKey,
      baseUrl: asked => address ?? baseUrl(asked),
    });
  }

  /** Sends requests to the rehearsal from now on. A failed start can be retried. */
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

  /** Returns to the real provider. */
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

  /** Some services return no display name, or repeat the id. */
  private withKnownLabel(model: ModelChoice): ModelChoice {
    const known = this.parts.knownModels(this.name).find(({ id }) => id === model.id);
    return known && (model.label === '' || model.label === model.id)
      ? { ...model, label: known.label }
      : model;
  }

  private get isListed(): boolean {
    return this.listed.length > 0 && this.listedBy === this.source;
  }

  private get source(): string {
    const { provider, baseUrl } = this.parts;
    return `${provider()} ${baseUrl(provider())}`;
  }
}
