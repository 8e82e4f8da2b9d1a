import { t } from '../../../protocol/language.ts';
import type {
  ChoosingModel,
  ConnectAction,
  ConnectionStep,
  ModelSource,
} from '../../../protocol/panel/connecting.ts';
import { messageOf } from '../../base/errors.ts';
import { probeModel } from '../../core/answers/probeModel.ts';
import { ModelError, type ModelInfo } from '../../core/model.ts';
import type { ApiKeyName } from '../../platform/secrets.ts';
import type { ModelConnection } from '../modelConnection.ts';
import { hostOf } from './azureAddresses.ts';
import type { ChatServer, ChosenModelWriter } from './chosenModelWriter.ts';
import type { ConnectDialogs, KeyQuestion } from './connectDialogs.ts';
import {
  type ConnectAttempt,
  type ConnectionMethod,
  type ConnectResult,
  stuckStep,
} from './connectionMethod.ts';
import { completeAddress, validateAddress } from './keyTexts.ts';
import { type FoundModelServer, findLocalServers, type LocalModelServer } from './localServers.ts';
import type { HostMachine } from './machine.ts';

interface Offer {
  readonly server: ChatServer;
  readonly model: string;
}

/** Connects to servers at the default ports of Folio's machine, or at an address that the user types. */
export class ServerMethod implements ConnectionMethod {
  private readonly places: readonly LocalModelServer[];
  private readonly machine: HostMachine;
  private readonly connection: ModelConnection;
  private readonly chosen: ChosenModelWriter;
  private readonly questions: ConnectDialogs;
  private readonly useElsewhere: (owner: ApiKeyName, key: string) => void;
  /** The newest offers, by the ids that the page has. */
  private readonly offers = new Map<string, Offer>();
  private shown: ChoosingModel | undefined;
  /** Address of the server that needs a key, or the one typed last. */
  private asked = '';

  /** @param useElsewhere gets a key that belongs to another provider */
  constructor(
    places: readonly LocalModelServer[],
    machine: HostMachine,
    connection: ModelConnection,
    chosen: ChosenModelWriter,
    questions: ConnectDialogs,
    useElsewhere: (owner: ApiKeyName, key: string) => void,
  ) {
    this.places = places;
    this.machine = machine;
    this.connection = connection;
    this.chosen = chosen;
    this.questions = questions;
    this.useElsewhere = useElsewhere;
  }

  async start({ signal, show }: ConnectAttempt): Promise<ConnectResult> {
    const doing = t('Checking the ports {0} and {1} of {2}…', ...this.ports);
    show({ status: 'working', doing });
    // Without a key, since it is unknown who listens there.
    const found = await findLocalServers(
      this.places,
      (address, bounded) => this.list({ address, key: undefined }, bounded),
      signal,
    );
    const locked = found.find(({ kind }) => kind === 'wantsKey');
    this.asked = locked?.address ?? '';
    return this.describe(found);
  }

  async choose(id: string, { signal, show }: ConnectAttempt): Promise<ConnectResult> {
    const offer = this.offers.get(id);
    if (!offer || !this.shown) return 'left';
    const { refused: _, ...list } = this.shown;
    show({ ...list, trying: id });
    const { server, model } = offer;
    const provider = this.connection.at('openai', server.key, server.address);
    const error = await probeModel(provider, model, signal);
    signal.throwIfAborted();
    const problem = error ? describeTrial(error, server, model) : await this.chosen.saveServer(server, model);
    return problem === undefined ? 'connected' : this.keep({ ...list, refused: { id, problem } });
  }

  async act(action: ConnectAction, attempt: ConnectAttempt): Promise<ConnectResult> {
    if (action === 'address') return this.askAddress(undefined, attempt);
    return action === 'key' ? this.askKey(attempt) : this.start(attempt);
  }

  /** A key does not identify its server, so this asks for the address. */
  useKey(key: string, attempt: ConnectAttempt): Promise<ConnectResult> {
    return this.askAddress(key, attempt);
  }

  private list({ address, key }: ChatServer, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.connection.at('openai', key, address).listModels(signal);
  }

  private get ports(): readonly [string, string, string] {
    const ports = this.places.map(({ port }) => String(port));
    return [ports.slice(0, -1).join(', '), ports.at(-1)!, this.machine.name];
  }

  private get nothing(): string {
    const nobody = t('No model server found on the ports {0} and {1} of {2}.', ...this.ports);
    return this.machine.isElsewhere
      ? `${nobody} ${t('Folio runs there, with your files, and cannot reach servers on your own computer. Start one there, or type an address that Folio can reach.')}`
      : `${nobody} ${t('Start your server, then search again, or type its address.')}`;
  }

  private describe(found: readonly FoundModelServer[]): ConnectionStep {
    this.offers.clear();
    const sources = found.map(server => this.sourceOf(server));
    const keyActions: readonly ConnectAction[] = this.asked === '' ? [] : ['key'];
    const actions = [...keyActions, 'again', 'address'] as const;
    if (this.offers.size > 0) {
      const reported = sources.filter((_, index) => found[index]?.kind !== 'stranger');
      return this.keep({ status: 'choosing', sources: reported, actions });
    }
    const problems = sources.flatMap(({ problem }) => problem ?? []);
    return stuckStep(problems.join(' ') || this.nothing, ...actions);
  }

  private sourceOf(found: FoundModelServer): ModelSource {
    const { place, address } = found;
    const source = { name: place.name, place: hostOf(address), models: [] };
    switch (found.kind) {
      case 'models':
        return { ...source, models: this.offer({ address, key: undefined }, found.models) };
      case 'noModels': {
        const what = t('{0} runs at {1}, but it has no model.', place.name, source.place);
        return { ...source, problem: `${what} ${place.getModel()}` };
      }
      case 'wantsKey':
        return {
          ...source,
          problem: t(
            'The server at {0} requires a key. Type the key that it was started with.',
            source.place,
          ),
        };
      case 'stranger':
        return { ...source, problem: t('The server at {0} is not a model server.', source.place) };
    }
  }

  private offer(server: ChatServer, models: readonly ModelInfo[]): ModelSource['models'] {
    return models.map(({ id: model, label }) => {
      const id = `${server.address} ${model}`;
      this.offers.set(id, { server, model });
      return { id, label };
    });
  }

  private keep(step: ChoosingModel): ConnectionStep {
    this.shown = step;
    return step;
  }

  private async askAddress(key: string | undefined, attempt: ConnectAttempt): Promise<ConnectResult> {
    const text = await this.questions.askText(
      {
        title: t('Model server'),
        prompt: t('Address of a server that supports OpenAI’s chat completions, up to and including /v1.'),
        value: key === undefined ? this.asked : openAiAddress,
        validateInput: validateAddress,
      },
      attempt.signal,
    );
    if (text === undefined) return this.back();
    const address = completeAddress(text);
    this.asked = address;
    return this.scan({ address, key }, attempt);
  }

  private async askKey(attempt: ConnectAttempt): Promise<ConnectResult> {
    const address = this.asked;
    const tryKey = async (key: string, signal: AbortSignal) => {
      try {
        await this.list({ address, key }, signal);
        return undefined;
      } catch (error) {
        signal.throwIfAborted();
        return describeListing(error, address);
      }
    };
    const answer = await this.questions.askKey({ ...keyQuestionFor(address), tryKey }, attempt.signal);
    if (answer.kind === 'left')
      return answer.problem ? stuckStep(answer.problem, 'key', 'address') : this.back();
    if (answer.kind === 'key') return this.scan({ address, key: answer.key }, attempt);
    this.useElsewhere(answer.owner, answer.key);
    return 'left';
  }

  private async scan(server: ChatServer, attempt: ConnectAttempt): Promise<ConnectResult> {
    const { address, key } = server;
    attempt.show({ status: 'working', doing: t('Asking {0} for its models…', hostOf(address)) });
    try {
      const models = await this.list(server, attempt.signal);
      this.offers.clear();
      const source = { name: t('Models'), place: hostOf(address), models: this.offer(server, models) };
      const nothing = t(
        'The server at {0} is running, but it lists no model. Load one there, then search again.',
        source.place,
      );
      if (models.length === 0) return stuckStep(nothing, 'address');
      return this.keep({ status: 'choosing', sources: [source], actions: ['address'] });
    } catch (error) {
      attempt.signal.throwIfAborted();
      const isLocked = error instanceof ModelError && error.kind === 'auth';
      if (isLocked && key === undefined) return this.askKey(attempt);
      return stuckStep(describeListing(error, address), ...(isLocked ? (['key'] as const) : []), 'address');
    }
  }

  /** Returns to the previous step if the user closes an input box. */
  private back(): ConnectResult {
    return this.shown ?? 'left';
  }
}

/** The server for an OpenAI key unless an address is set. */
export const openAiAddress = 'https://api.openai.com/v1';

/**
 * Returns the parts of a question for a server's key: who issues it, and which keys of other providers are not valid. A
 * Gemini key is valid at any host of Google's APIs.
 */
export function keyQuestionFor(address: string) {
  const host = hostOf(address);
  return {
    of: t('the server {0}', host),
    belongsElsewhere: owner =>
      (owner === 'gemini' && !host.endsWith('.googleapis.com')) ||
      (owner === 'anthropic' && host === hostOf(openAiAddress)),
  } as const satisfies Partial<KeyQuestion>;
}

function describeListing(error: unknown, address: string): string {
  if (!(error instanceof ModelError)) return messageOf(error);
  const host = hostOf(address);
  switch (error.kind) {
    case 'network':
      return t('No response from {0}. Start the server, or correct the address.', host);
    case 'auth':
      return t('The server {0} rejected this key. Copy the full key, and try again.', host);
    default:
      return error.message;
  }
}

function describeTrial(error: ModelError, { address }: ChatServer, model: string): string {
  const host = hostOf(address);
  return error.kind === 'network'
    ? t('The server {0} is no longer running. Start it again, then choose "{1}" again.', host, model)
    : error.message;
}
