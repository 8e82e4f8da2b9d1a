/* How a person gets to a model; loaded when they look at the ways there are. */

import { extensions, lm } from 'vscode';
import { isRecord } from '../base/record.ts';
import { vertexPlace } from '../models/providers.ts';
import { hasGoogleCredentials } from '../node/googleCredentialFiles.ts';
import type { ActiveSession } from '../vscode/activeSession.ts';
import { ChosenModel } from '../vscode/connect/chosenModel.ts';
import { ConnectFlow } from '../vscode/connect/connectFlow.ts';
import { geminiWay } from '../vscode/connect/geminiWay.ts';
import { localPlaces } from '../vscode/connect/localServers.ts';
import { ServerWay } from '../vscode/connect/serverWay.ts';
import { vertexWay } from '../vscode/connect/vertexWay.ts';
import { vscodeQuestions } from '../vscode/connect/vscodeQuestions.ts';
import { vscodeWay } from '../vscode/connect/vscodeWay.ts';
import type { Connection } from '../vscode/connection.ts';
import { KeyDialogs } from '../vscode/features/models/keyDialogs.ts';
import { vscodeLanguageModels } from '../vscode/languageModels/vscodeLanguageModels.ts';
import type { PanelView } from '../vscode/panel/panelView.ts';
import type { Ports } from './ports.ts';

export interface Connecting {
  readonly flow: ConnectFlow;
  readonly keys: KeyDialogs;
  dispose(): void;
}

export function makeConnecting(
  ports: Ports,
  connection: Connection,
  session: ActiveSession,
  panel: PanelView,
): Connecting {
  const { settings, secrets, keyless, log, env } = ports;
  const chosen = new ChosenModel(settings, secrets, keyless, connection, session);
  const google = {
    project: vertexPlace(settings, env).project,
    hasCredentials: () => hasGoogleCredentials(env),
  };
  const useElsewhere = (owner: 'gemini' | 'openai') => (key: string) => void flow.useKey(owner, key);
  const questions = vscodeQuestions;
  const flow: ConnectFlow = new ConnectFlow(
    {
      gemini: geminiWay(secrets, connection, chosen, questions, useElsewhere('openai')),
      vscode: vscodeWay(vscodeLanguageModels, offersModels, chosen, questions),
      server: new ServerWay(localPlaces, connection, chosen, questions, useElsewhere('gemini')),
      vertex: vertexWay(google, connection, chosen, questions),
      rehearsal: { start: async () => connection.startRehearsal().then(() => 'connected') },
    },
    log,
  );
  flow.onDidChange(() => panel.feed.tell({ type: 'connect.told', connecting: flow.connecting }));
  flow.onDidConnect(() => {
    // A session that is not made yet shows the model that it would begin with.
    if (!session.present) panel.feed.changed();
    panel.focus().catch(error => log.error('The panel could not be shown', error));
  });
  const models = lm.onDidChangeChatModels(() => void flow.look());
  return {
    flow,
    keys: new KeyDialogs(secrets, keyless, connection, async () => flow, panel),
    dispose: () => {
      models.dispose();
      flow.dispose();
    },
  };
}

/** Some extension says in its manifest that it offers models: asking for them then starts it, and asks nobody. */
function offersModels(): boolean {
  return extensions.all.some(({ packageJSON }) => {
    const contributes = isRecord(packageJSON) ? packageJSON.contributes : undefined;
    return isRecord(contributes) && contributes.languageModelChatProviders !== undefined;
  });
}
