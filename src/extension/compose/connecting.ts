/* How a user connects to a model. Loaded when they view the options. */

import { extensions, lm, env as window } from 'vscode';
import type { ConnectionMethodName } from '../../protocol/panel/connecting.ts';
import type { Disposable } from '../base/disposable.ts';
import { isRecord } from '../base/record.ts';
import { bedrockRegion, vertexProjectAndLocation } from '../models/providers.ts';
import { hasAwsCredentials } from '../node/awsCredentialFiles.ts';
import { hasGoogleCredentials } from '../node/googleCredentialFiles.ts';
import type { ApiKeyName } from '../platform/secrets.ts';
import type { ActiveSession } from '../vscode/activeSession.ts';
import { AzureMethod } from '../vscode/connect/azureMethod.ts';
import { ChosenModelWriter } from '../vscode/connect/chosenModelWriter.ts';
import { cloudMethod } from '../vscode/connect/cloudMethod.ts';
import { bedrock, vertexAi } from '../vscode/connect/clouds.ts';
import type { ConnectDialogs } from '../vscode/connect/connectDialogs.ts';
import { ConnectFlow } from '../vscode/connect/connectFlow.ts';
import type { ConnectionMethod } from '../vscode/connect/connectionMethod.ts';
import { type KeyOwner, keyMethod, keyOwners } from '../vscode/connect/keyMethod.ts';
import { localModelServers } from '../vscode/connect/localServers.ts';
import { machineOf } from '../vscode/connect/machine.ts';
import { ServerMethod } from '../vscode/connect/serverMethod.ts';
import { vscodeConnectDialogs } from '../vscode/connect/vscodeConnectDialogs.ts';
import { vscodeMethod } from '../vscode/connect/vscodeMethod.ts';
import { KeyDialogs } from '../vscode/features/models/keyDialogs.ts';
import { vscodeLanguageModels } from '../vscode/languageModels/vscodeLanguageModels.ts';
import type { ModelConnection } from '../vscode/modelConnection.ts';
import type { PanelView } from '../vscode/panel/panelView.ts';
import { microsoftToken } from './connection.ts';
import type { WindowPorts } from './ports.ts';

export class ConnectionServices implements Disposable {
  readonly flow: ConnectFlow;
  readonly keys: KeyDialogs;
  private readonly models = lm.onDidChangeChatModels(() => void this.flow.scan());

  constructor(ports: WindowPorts, connection: ModelConnection, session: ActiveSession, panel: PanelView) {
    const { settings, apiKeys, keyless, log } = ports;
    const chosen = new ChosenModelWriter(settings, apiKeys, keyless, connection, session);
    this.flow = new ConnectFlow(
      this.ways(ports, connection, chosen, keepFocus(vscodeConnectDialogs, panel)),
      log,
    );
    this.keys = new KeyDialogs(apiKeys, keyless, connection, async () => this.flow, panel);
    this.flow.onDidChange(() =>
      panel.notify(() => ({ type: 'connect.told', connecting: this.flow.connecting })),
    );
    this.flow.onDidConnect(() => {
      // Before its session exists, the page shows the model that the session will begin with.
      if (!session.present) panel.feed.changed();
      panel.focusLate().catch(error => log.error('The panel could not be shown', error));
    });
  }

  dispose(): void {
    this.models.dispose();
    this.flow.dispose();
  }

  private ways(
    ports: WindowPorts,
    connection: ModelConnection,
    chosen: ChosenModelWriter,
    questions: ConnectDialogs,
  ): Readonly<Record<ConnectionMethodName, ConnectionMethod>> {
    const { apiKeys, env } = ports;
    const readToken = (address: string) => microsoftToken(env, () => address);
    const { google, aws } = cloudsOf(ports);
    const useElsewhere = (owner: ApiKeyName, key: string) => void this.flow.useKey(owner, key);
    const machine = machineOf(window.remoteName);
    const byKey = (name: KeyOwner['name']) =>
      keyMethod(keyOwners()[name], apiKeys, connection, chosen, questions, useElsewhere);
    return {
      gemini: byKey('gemini'),
      anthropic: byKey('anthropic'),
      'openai-responses': byKey('openai-responses'),
      azure: new AzureMethod(connection, chosen, questions, readToken, useElsewhere),
      vscode: vscodeMethod(vscodeLanguageModels, offersModels, chosen, questions),
      server: new ServerMethod(localModelServers, machine, connection, chosen, questions, useElsewhere),
      vertex: cloudMethod(vertexAi(google, machine, chosen), connection, chosen, questions),
      bedrock: cloudMethod(bedrock(aws, machine, chosen), connection, chosen, questions),
      rehearsal: { start: async () => connection.startRehearsal().then(() => 'connected') },
    };
  }
}

/** The user chose on the page and returns to it. */
function keepFocus(questions: ConnectDialogs, panel: Pick<PanelView, 'keepFocus'>): ConnectDialogs {
  return {
    ...questions,
    askKey: (question, signal) => panel.keepFocus(() => questions.askKey(question, signal)),
    askText: (question, signal) => panel.keepFocus(() => questions.askText(question, signal)),
  };
}

/** Looks up the machine's cloud credentials each time. */
function cloudsOf({ settings, apiKeys, env }: WindowPorts) {
  const google = {
    place: vertexProjectAndLocation(settings, env).project,
    hasCredentials: () => hasGoogleCredentials(env),
  };
  const hasKey = async () => (await apiKeys.read('bedrock')) !== undefined;
  const aws = {
    place: bedrockRegion(settings, env).region,
    hasCredentials: async () => (await hasKey()) || hasAwsCredentials(env),
  };
  return { google, aws };
}

/** Returns whether an extension declares language models. Querying them would start it, but ask nobody. */
function offersModels(): boolean {
  return extensions.all.some(({ packageJSON }) => {
    const contributes = isRecord(packageJSON) ? packageJSON.contributes : undefined;
    return isRecord(contributes) && contributes.languageModelChatProviders !== undefined;
  });
}
