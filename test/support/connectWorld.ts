/* Connects models by the real providers over real sockets. The test controls user, settings and keys. */

import type { ApiKeyName } from '../../src/extension/platform/secrets.ts';
import {
  defaultSettings,
  type SettingValues,
  type WritableSettings,
} from '../../src/extension/platform/settings.ts';
import type { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { AzureMethod } from '../../src/extension/vscode/connect/azureMethod.ts';
import { ChosenModelWriter } from '../../src/extension/vscode/connect/chosenModelWriter.ts';
import { cloudMethod } from '../../src/extension/vscode/connect/cloudMethod.ts';
import { bedrock, vertexAi } from '../../src/extension/vscode/connect/clouds.ts';
import type {
  ConnectDialogs,
  KeyAnswer,
  KeyQuestion,
} from '../../src/extension/vscode/connect/connectDialogs.ts';
import { ConnectFlow } from '../../src/extension/vscode/connect/connectFlow.ts';
import { KeylessServer } from '../../src/extension/vscode/connect/keylessServer.ts';
import { keyMethod, keyOwners } from '../../src/extension/vscode/connect/keyMethod.ts';
import { misplacedKeyMessages } from '../../src/extension/vscode/connect/keyTexts.ts';
import { KeyTrial } from '../../src/extension/vscode/connect/keyTrial.ts';
import type { LocalModelServer } from '../../src/extension/vscode/connect/localServers.ts';
import { machineOf } from '../../src/extension/vscode/connect/machine.ts';
import { ServerMethod } from '../../src/extension/vscode/connect/serverMethod.ts';
import { vscodeMethod } from '../../src/extension/vscode/connect/vscodeMethod.ts';
import type { LanguageModel } from '../../src/extension/vscode/languageModels/languageModels.ts';
import { ModelConnection } from '../../src/extension/vscode/modelConnection.ts';
import type { ConnectStep } from '../../src/protocol/panel/connecting.ts';
import { plainProvider } from './plainProvider.ts';

export interface ConnectWorldOptions {
  readonly places?: readonly LocalModelServer[];
  readonly geminiUrl?: string;
  readonly bedrockUrl?: string;
  readonly keys?: Partial<Record<ApiKeyName, string>>;
  /** Token of the user's Microsoft account. Absent: the user does not sign in. */
  readonly token?: string;
  readonly hasCredentials?: boolean;
  readonly hasAwsCredentials?: boolean;
  /** Models of VS Code. */
  readonly models?: readonly LanguageModel[];
  readonly mayOffer?: boolean;
  /** Name of the remote, if the window works on another machine. */
  readonly remoteName?: string;
  /** Settings of the workspace, which override the user's. */
  readonly workspace?: Partial<SettingValues>;
  /** Model of the shown session. Absent: no session is shown. */
  readonly model?: string;
}

export type ConnectWorld = ReturnType<typeof makeConnectWorld>;

export function makeConnectWorld(options: ConnectWorldOptions = {}) {
  const saved: Partial<SettingValues> = {};
  const order: string[] = [];
  const settings: WritableSettings = {
    get: name => options.workspace?.[name] ?? saved[name] ?? defaultSettings[name],
    isSet: name => options.workspace?.[name] !== undefined || saved[name] !== undefined,
    onDidChange: () => ({ dispose() {} }),
    save: async values => {
      order.push(...Object.keys(values));
      Object.assign(saved, values);
    },
    change: (name, toNew) => settings.save({ [name]: toNew(settings.get(name)) }),
  };
  const keys: Partial<Record<ApiKeyName, string>> = { ...options.keys };
  const secrets = {
    read: async (name: ApiKeyName) => keys[name],
    write: async (name: ApiKeyName, key: string) => {
      keys[name] = key;
    },
  };
  let keptAddress: string | undefined;
  const keyless = new KeylessServer({
    read: () => keptAddress,
    write: address => {
      keptAddress = address;
    },
  });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const addresses: Readonly<Record<string, () => string | undefined>> = {
    gemini: () => options.geminiUrl,
    bedrock: () => options.bedrockUrl,
    openai: () => settings.get('openai.baseUrl'),
    'openai-responses': () => settings.get('openaiResponses.baseUrl'),
  };
  const baseUrl = (name: string) => addresses[name]?.() ?? '';
  const connection = new ModelConnection({
    log,
    baseUrl,
    provider: () => settings.get('provider'),
    others: () => [],
    apiKey: async name => (name === 'gemini' || name === 'openai' ? keys[name] : undefined),
    isReady: async name => (name === 'gemini' ? keys.gemini !== undefined : true),
    loadPrices: async () => (_, models) => models,
    knownModels: () => [],
    createProvider: endpoint =>
      plainProvider({
        ...endpoint,
        vertex: { project: () => settings.get('vertex.project'), location: () => '' },
        bedrock: { region: () => settings.get('bedrock.region') },
      }),
    startRehearsal: async () => ({ baseUrl: 'http://127.0.0.1:9', dispose: async () => undefined }),
  });
  const user = new ScriptedUser();
  let model = options.model;
  const session = {
    get present() {
      return model === undefined ? undefined : ({ state: { model } } as ActiveSession['present']);
    },
    setModel: async (next: string) => {
      model = next;
    },
  };
  const chosen = new ChosenModelWriter(settings, secrets, keyless, connection, session);
  const google = {
    place: () => settings.get('vertex.project'),
    hasCredentials: async () => options.hasCredentials ?? false,
  };
  const aws = {
    place: () => settings.get('bedrock.region'),
    hasCredentials: async () => options.hasAwsCredentials ?? false,
  };
  const machine = machineOf(options.remoteName);
  const languageModels = { list: async () => options.models ?? [] };
  const useElsewhere = (owner: ApiKeyName, key: string) => void flow.useKey(owner, key);
  const readToken = async () => {
    if (options.token === undefined) throw new Error('Nobody signed in. Sign in to Microsoft, then retry.');
    return options.token;
  };
  const flow: ConnectFlow = new ConnectFlow(
    {
      gemini: keyMethod(keyOwners().gemini, secrets, connection, chosen, user, useElsewhere),
      anthropic: keyMethod(keyOwners().anthropic, secrets, connection, chosen, user, useElsewhere),
      'openai-responses': keyMethod(
        keyOwners()['openai-responses'],
        secrets,
        connection,
        chosen,
        user,
        useElsewhere,
      ),
      azure: new AzureMethod(connection, chosen, user, readToken, useElsewhere),
      server: new ServerMethod(options.places ?? [], machine, connection, chosen, user, useElsewhere),
      vertex: cloudMethod(vertexAi(google, machine, chosen), connection, chosen, user),
      bedrock: cloudMethod(bedrock(aws, machine, chosen), connection, chosen, user),
      vscode: vscodeMethod(languageModels, () => options.mayOffer ?? true, chosen, user),
      rehearsal: { start: async () => connection.startRehearsal().then(() => 'connected') },
    },
    log,
  );
  const steps: ConnectStep[] = [];
  let connected = 0;
  flow.onDidChange(() => {
    const { step } = flow.connecting;
    if (step && step !== steps.at(-1)) steps.push(step);
  });
  flow.onDidConnect(() => connected++);
  return {
    flow,
    user,
    chosen,
    saved,
    order,
    keys,
    connection,
    steps,
    connected: () => connected,
    keptAddress: () => keptAddress,
    model: () => model,
    /** Returns the shown step; fails if its status differs. */
    step<S extends ConnectStep['status']>(status: S): Extract<ConnectStep, { status: S }> {
      const { step } = flow.connecting;
      if (step?.status !== status) throw new Error(`Not ${status} but ${JSON.stringify(step)}`);
      return step as Extract<ConnectStep, { status: S }>;
    },
  };
}

/** Types scripted texts into input boxes, then cancels. */
class ScriptedUser implements ConnectDialogs {
  readonly keys: string[] = [];
  /** Whether the user saves the last key although it was refused. */
  savesAnyway = false;
  readonly texts: string[] = [];
  /** Prompts and errors of the input boxes. */
  readonly reported: string[] = [];
  readonly terminals: string[] = [];
  readonly searches: string[] = [];

  async askKey(question: KeyQuestion, signal: AbortSignal): Promise<KeyAnswer> {
    const trial = new KeyTrial(question);
    for (let key = this.keys.shift(); key !== undefined; key = this.keys.shift()) {
      const answer = await trial.enter(key, signal);
      const owner = trial.findOwner(key);
      if (owner) this.reported.push(misplacedKeyMessages()[owner]);
      if (answer) return answer;
      this.reported.push(trial.refused!.problem);
    }
    const saved = this.savesAnyway ? trial.saveAnyway() : undefined;
    return saved ?? { kind: 'left', problem: trial.refused?.problem };
  }

  async askText({ validateInput }: { validateInput: (text: string) => string | undefined }) {
    for (let text = this.texts.shift(); text !== undefined; text = this.texts.shift()) {
      const fault = validateInput(text);
      if (fault === undefined) return text;
      this.reported.push(fault);
    }
    return undefined;
  }

  openTerminal(command: string): void {
    this.terminals.push(command);
  }

  async findExtensions(query: string): Promise<void> {
    this.searches.push(query);
  }
}
