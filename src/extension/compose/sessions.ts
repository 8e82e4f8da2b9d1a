/* The session shown in a window, and earlier ones. */

import { join } from 'node:path';
import { type ExtensionContext, type Memento, window } from 'vscode';
import { initialMode } from '../core/policy/initialMode.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import type { Settings } from '../platform/settings.ts';
import { ActiveSession, type LastModelStore } from '../vscode/activeSession.ts';
import type { PanelDrafts } from '../vscode/features/sessions/panelDrafts.ts';
import type { ModelConnection } from '../vscode/modelConnection.ts';
import { SessionLibrary } from '../vscode/sessionLibrary.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';
import { resolveModelName } from './modelAccess.ts';
import type { WindowPorts } from './ports.ts';

/** Keys of the workspace's memory: the shown session, the time of the last archiving, the chosen model, the window. */
const lastSession = 'folio.lastSession';
const tidiedAt = 'folio.tidiedAt';
const chosenModel = 'folio.chosenModel';
const windowName = 'folio.windowName';

/** The model that the user chose last in this workspace. */
interface ChosenModel {
  readonly model: string;
  /** The model settings at that time. */
  readonly settings: string;
}

const modelSettings = ['model', 'provider', 'baseUrl', 'openai.baseUrl'] as const;

export function composeSession(
  { workspaceState }: ExtensionContext,
  { log, settings }: WindowPorts,
  connection: ModelConnection,
  agent: () => Promise<SessionManager>,
): ActiveSession {
  const last = {
    read: () => workspaceState.get<string>(lastSession),
    write: (sessionId: string | undefined) => void workspaceState.update(lastSession, sessionId),
  };
  const preview = () => ({
    folders: workspaceFolders(),
    model: resolveModelName(settings.get('model'), connection, settings),
    mode: initialMode(settings, true),
  });
  const notify = (sentence: string) => void window.showWarningMessage(sentence);
  return new ActiveSession(agent, last, preview, notify, log, rememberChoice(workspaceState, settings));
}

/** Returns the remembered model, unless the settings changed since, which is the newer choice. */
function rememberChoice(memory: Memento, settings: Settings): LastModelStore {
  const readSettings = () => JSON.stringify(modelSettings.map(name => settings.get(name)));
  return {
    read: () => {
      const chosen = memory.get<ChosenModel>(chosenModel);
      return chosen?.settings === readSettings() ? chosen.model : undefined;
    },
    keep: model => {
      const chosen: ChosenModel = { model, settings: readSettings() };
      void memory.update(chosenModel, chosen);
    },
  };
}

export function composeLibrary(
  { workspaceState }: ExtensionContext,
  { settings, clock }: WindowPorts,
  session: ActiveSession,
  agent: () => Promise<SessionManager>,
): SessionLibrary {
  const library = new SessionLibrary(session, agent, () => settings.get('retention.days'), {
    read: () => workspaceState.get<number>(tidiedAt),
    write: at => void workspaceState.update(tidiedAt, at),
  });
  // Only if the core is loaded anyway, and never before the user acts.
  session.onDidSwitch(() => {
    if (session.present) void library.tidy(clock.now());
  });
  return library;
}

/** Also works without a folder: VS Code remembers such a window under a stable name. */
export async function composeDrafts(
  { storageUri, globalStorageUri, workspaceState }: ExtensionContext,
  { log, clock }: WindowPorts,
  library: SessionLibrary,
): Promise<PanelDrafts> {
  const { PanelDrafts } = await import('../vscode/features/sessions/panelDrafts.ts');
  const { DraftFile } = await import('../node/sessions/draftFile.ts');
  const root = join((storageUri ?? globalStorageUri).fsPath, 'sessions');
  const name = storageUri ? '' : (workspaceState.get<string>(windowName) ?? clock.newId());
  if (!storageUri) await workspaceState.update(windowName, name);
  return new PanelDrafts(new DraftFile(root, log, name), library);
}
