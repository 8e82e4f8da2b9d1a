import { commands, env } from 'vscode';
import type { ToHost } from '../../../../protocol/intentions.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Consent } from '../../../core/consent/consent.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { ConnectFlow } from '../../connect/connectFlow.ts';
import type { Connection } from '../../connection.ts';
import type { ApprovalModes } from '../../features/approvalMode.ts';
import type { WindowAdditions } from '../../features/customizations/windowAdditions.ts';
import type { OutputOpen } from '../../features/documents/outputOpen.ts';
import { openFile, openLink, openSettings } from '../../features/openThings.ts';
import type { Permissions } from '../../features/permissions.ts';
import { report } from '../../features/report.ts';
import type { PromptCommands } from '../../features/slashCommands/promptCommands.ts';
import type { ProposalDiff } from '../../review/proposalDiff.ts';
import type { ReviewInEditors } from '../../review/registerReview.ts';
import type { SessionLibrary } from '../../sessionLibrary.ts';
import type { WindowSurroundings } from '../../surroundings.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import type { PanelView } from '../panelView.ts';
import { handleChapters } from './chapterHandlers.ts';
import { type CompleteMention, handleCompletion } from './completionHandlers.ts';
import { handleConnect } from './connectHandlers.ts';
import { handleContext } from './contextHandlers.ts';
import { handleControl } from './controlHandlers.ts';
import { handleCustomizations, type PanelServers, tellServers } from './customizationHandlers.ts';
import { handleMessage, type PanelHandlers, type SomeHandlers } from './panelHandlers.ts';
import { handleReview } from './reviewHandlers.ts';
import { followSessions, handleSessionList } from './sessionHandlers.ts';
import { restsAt } from './stillAsked.ts';

export interface PanelParts {
  readonly panel: PanelView;
  readonly session: ActiveSession;
  readonly connection: Connection;
  readonly surroundings: WindowSurroundings;
  readonly library: SessionLibrary;
  readonly diff: ProposalDiff;
  readonly outputs: OutputOpen;
  readonly review: ReviewInEditors;
  readonly promptCommands: PromptCommands;
  readonly permissions: Permissions;
  readonly modes: ApprovalModes;
  readonly consent: Pick<Consent, 'decide'>;
  readonly additions: WindowAdditions;
  readonly servers: PanelServers;
  readonly connectFlow: () => Promise<ConnectFlow>;
  readonly trust: Pick<WindowTrust, 'manage'>;
  readonly completeMention: CompleteMention;
  /** Finds out how a model can be reached; once it is known, the panel can say what is missing. */
  readonly prepare: () => Promise<void>;
  readonly log: Log;
}

/** Joins the panel to the rest: facts go out to it, its intentions come in and are carried out. */
export function controlPanel(parts: PanelParts): Disposable {
  const { panel, session, surroundings, log } = parts;
  const handlers: PanelHandlers = {
    ...handleSession(parts),
    ...handleSessionList(parts),
    ...handleReview(session, panel, parts.review),
    ...handleChapters(session),
    ...handleControl(session, parts.permissions),
    ...handleContext(session, panel),
    ...handleCompletion(parts),
    ...handleCustomizations(parts),
    ...handleConnect(parts.connectFlow, panel),
    ...handleWindow(parts),
  };
  const tellSurroundings = () =>
    panel.feed.tell({ type: 'surroundings.changed', surroundings: surroundings.current });
  const receive = (message: ToHost) =>
    handleMessage(handlers, message).catch(error => report(log, 'Folio could not do that', error));
  const store = new DisposableStore();
  store.add(session.onEvent(() => panel.feed.changed()));
  store.add(session.onAgentEvent(() => panel.feed.changed()));
  store.add(session.onDidSwitch(() => panel.feed.update()));
  store.add(followSessions(parts));
  store.add(surroundings.onDidChange(tellSurroundings));
  store.add(tellServers(parts));
  store.add(panel.onDidReceive(message => void receive(message)));
  return store;
}

function handleSession(parts: PanelParts) {
  const { panel, session, connection, surroundings, diff, prepare, log } = parts;
  return {
    'panel.ready': async () => {
      const ready = prepare().catch(error => report(log, 'The rehearsal could not be started', error));
      await Promise.all([ready, session.restore()]);
      panel.feed.attach([
        { type: 'surroundings.changed', surroundings: surroundings.current },
        { type: 'sessions.open', sessions: session.opened.beside(session.present) },
      ]);
    },
    'prompt.send': async ({ text, attachments, how }) => {
      if (await parts.promptCommands.take(text, attachments)) return;
      const end = await session.queue(text, attachments, how);
      if (end && !connection.modelsAreListed) await connection.refreshModels(AbortSignal.timeout(30_000));
    },
    'turn.stop': () => session.present?.stop(),
    'turn.retry': ({ endId }) => {
      const { present } = session;
      return present && restsAt(present.state, endId) ? present.retry() : undefined;
    },
    'retry.now': () => session.present?.retryNow(),
    'call.decide': ({ callId, askId, decision }) => {
      const meant = decision.kind === 'once' ? diff.acceptance(callId, askId) : { ...decision, askId };
      session.present?.decide(callId, meant);
    },
    'mode.set': ({ mode }) => parts.modes.change(mode),
    'model.set': ({ model }) => session.setModel(model),
  } satisfies SomeHandlers;
}

function handleWindow(parts: PanelParts) {
  const { diff, outputs, trust } = parts;
  return {
    'diff.open': ({ callId }) => diff.open(callId),
    'changes.open': () => commands.executeCommand('folio.openChanges'),
    'output.open': ({ callId }) => outputs.open(callId),
    'file.open': ({ path, line }) => openFile(path, line, parts.permissions.files),
    'link.open': ({ url }) => openLink(url),
    'text.copy': ({ text }) => env.clipboard.writeText(text),
    'model.select': () => commands.executeCommand('folio.selectModel'),
    'key.set': () => commands.executeCommand('folio.setApiKey'),
    'settings.open': openSettings,
    'folder.open': () => commands.executeCommand('vscode.openFolder'),
    'trust.manage': () => trust.manage(),
  } satisfies SomeHandlers;
}
