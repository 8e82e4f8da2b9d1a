import { t } from '../../../protocol/language.ts';
import type { ConnectAction } from '../../../protocol/panel/connecting.ts';
import { messageOf } from '../../base/errors.ts';
import { probeModel } from '../../core/answers/probeModel.ts';
import type { ModelError } from '../../core/model.ts';
import type { ApiKeyName } from '../../platform/secrets.ts';
import type { SignInMethod } from '../../platform/settings.ts';
import type { ModelConnection } from '../modelConnection.ts';
import {
  type Deployment,
  hostOf,
  parseDeployment,
  validateDeployment,
  validateEndpoint,
} from './azureAddresses.ts';
import type { ChosenModelWriter, EnteredKey } from './chosenModelWriter.ts';
import type { ConnectDialogs } from './connectDialogs.ts';
import {
  type ConnectAttempt,
  type ConnectionMethod,
  type ConnectResult,
  stuckStep,
} from './connectionMethod.ts';

/**
 * Connects to an OpenAI model that the user deployed in an Azure resource. Azure does not list deployments, so this
 * asks for the name. A small request checks address and name before anything is saved.
 */
export class AzureMethod implements ConnectionMethod {
  private readonly connection: ModelConnection;
  private readonly chosen: ChosenModelWriter;
  private readonly questions: ConnectDialogs;
  private readonly readToken: (address: string) => Promise<string>;
  private readonly useElsewhere: (owner: ApiKeyName, key: string) => void;
  private typed: Deployment | undefined;

  /**
   * @param readToken returns a token of the user's Microsoft account for a resource
   * @param useElsewhere gets a key that belongs to another provider
   */
  constructor(
    connection: ModelConnection,
    chosen: ChosenModelWriter,
    questions: ConnectDialogs,
    readToken: (address: string) => Promise<string>,
    useElsewhere: (owner: ApiKeyName, key: string) => void,
  ) {
    this.connection = connection;
    this.chosen = chosen;
    this.questions = questions;
    this.readToken = readToken;
    this.useElsewhere = useElsewhere;
  }

  async known() {
    const { address } = this.deployment;
    return { azureHost: address === '' ? '' : hostOf(address) };
  }

  start(attempt: ConnectAttempt): Promise<ConnectResult> {
    return this.askAddress(attempt);
  }

  async act(action: ConnectAction, attempt: ConnectAttempt): Promise<ConnectResult> {
    switch (action) {
      case 'key':
        return this.askKey(attempt);
      case 'account':
        return this.useAccount(attempt);
      case 'deployment':
        return this.askName(this.deployment, attempt);
      default:
        return this.askAddress(attempt);
    }
  }

  /** The deployment typed last, else the configured one. */
  private get deployment(): Deployment {
    return this.typed ?? this.chosen.azure;
  }

  private async askAddress(attempt: ConnectAttempt): Promise<ConnectResult> {
    const text = await this.questions.askText(
      {
        title: 'Azure OpenAI',
        prompt: t('Endpoint of your resource, as the Azure portal shows it under Keys and Endpoint.'),
        value: this.deployment.address,
        validateInput: validateEndpoint,
      },
      attempt.signal,
    );
    if (text === undefined) return this.back();
    const { address, name } = parseDeployment(text);
    const typed = { address, name: name || this.deployment.name };
    return name === '' ? this.askName(typed, attempt) : this.ready(typed);
  }

  private async askName({ address, name }: Deployment, attempt: ConnectAttempt): Promise<ConnectResult> {
    const text = await this.questions.askText(
      {
        title: 'Azure OpenAI',
        prompt: t(
          'Name of the deployment, as you gave it. Prices and limits go by it where it is that of its model.',
        ),
        value: name,
        validateInput: validateDeployment,
      },
      attempt.signal,
    );
    return text === undefined ? this.back() : this.ready({ address, name: text.trim() });
  }

  private ready(typed: Deployment): ConnectResult {
    this.typed = typed;
    const what = t(
      'The deployment {0} at {1} takes a key of the resource, or your Microsoft account.',
      typed.name,
      hostOf(typed.address),
    );
    return { status: 'asking', what, actions };
  }

  private async askKey(attempt: ConnectAttempt): Promise<ConnectResult> {
    const tryKey = (key: string, signal: AbortSignal) => this.findProblem('key', key, signal);
    const question = { of: 'Azure OpenAI', belongsElsewhere: () => true, tryKey };
    const answer = await this.questions.askKey(question, attempt.signal);
    switch (answer.kind) {
      case 'left':
        return answer.problem === undefined ? this.back() : stuckStep(answer.problem, ...actions);
      case 'misplaced':
        this.useElsewhere(answer.owner, answer.key);
        return 'left';
      case 'key':
        return this.finish(answer);
    }
  }

  private async useAccount({ signal, show }: ConnectAttempt): Promise<ConnectResult> {
    show({ status: 'working', doing: t('Signing in to Microsoft…') });
    try {
      const token = await this.readToken(this.deployment.address);
      signal.throwIfAborted();
      show({ status: 'working', doing: t('Trying the deployment {0}…', this.deployment.name) });
      const problem = await this.findProblem('entra', token, signal);
      return problem === undefined ? await this.finish() : stuckStep(problem, ...actions);
    } catch (error) {
      signal.throwIfAborted();
      return stuckStep(messageOf(error), ...actions);
    }
  }

  private async findProblem(
    signIn: SignInMethod,
    secret: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { deployment } = this;
    const provider = this.connection.at('openai-responses', secret, deployment.address);
    const error = await probeModel(provider, deployment.name, signal);
    signal.throwIfAborted();
    return error && describeTrial(error, deployment, signIn);
  }

  /** @param key absent to use the user's account */
  private async finish(answer?: EnteredKey): Promise<ConnectResult> {
    const problem = await this.chosen.saveAzure(this.deployment, answer);
    return problem === undefined ? 'connected' : stuckStep(problem, ...actions);
  }

  /** Returns to the previous step if the user closes an input box. */
  private back(): ConnectResult {
    return this.typed === undefined ? 'left' : this.ready(this.typed);
  }
}

const actions: readonly ConnectAction[] = ['key', 'account', 'deployment', 'address'];

function describeTrial(error: ModelError, { address, name }: Deployment, signIn: SignInMethod): string {
  const host = hostOf(address);
  switch (error.kind) {
    case 'network':
      return t(
        'No response from {0}. Compare the endpoint with the one in the Azure portal, and type it again.',
        host,
      );
    case 'auth':
    case 'forbidden':
      return signIn === 'key'
        ? t(
            '{0} rejected this key. Copy one of the two full keys under Keys and Endpoint in the Azure portal, and try again.',
            host,
          )
        : t(
            '{0} denies access to your Microsoft account. Ask for the role Cognitive Services OpenAI User there, or type a key.',
            host,
          );
    case 'notFound':
      return t(
        '{0} has no deployment "{1}". Type its name as the Azure portal shows it under Deployments.',
        host,
        name,
      );
    default:
      return error.message;
  }
}
