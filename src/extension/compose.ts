/*
 * The composition root of the extension: every long-lived object is made here, in order. What takes part only once
 * something is asked (the core, its tools, the model SDK, the rehearsal) is imported when it is.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, lm, Uri, window, workspace } from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { once } from './base/once.ts';
import { makeAgent, resolveInWindow } from './compose/agent.ts';
import { composeConnection } from './compose/connection.ts';
import { loadSchemaCheck, offerToNeighbours } from './compose/neighbours.ts';
import { composePorts, type Ports } from './compose/ports.ts';
import { serverPrompts } from './compose/serverTools.ts';
import { firstMode } from './core/policy/firstMode.ts';
import { ActiveSession } from './vscode/activeSession.ts';
import type { FolioApi } from './vscode/api/folioApi.ts';
import { windowApi } from './vscode/api/windowApi.ts';
import { registerComments } from './vscode/comments/registerComments.ts';
import { registerAddSelection } from './vscode/features/addSelection.ts';
import { ApprovalModes } from './vscode/features/approvalMode.ts';
import { registerCommands } from './vscode/features/commands.ts';
import { registerHooks } from './vscode/features/customizations/hooks.ts';
import { registerAdditions } from './vscode/features/customizations/windowAdditions.ts';
import { registerCompression } from './vscode/features/documents/compression.ts';
import { registerMemory } from './vscode/features/documents/memoryCommands.ts';
import { OutputOpen } from './vscode/features/documents/outputOpen.ts';
import { registerPlanDocument } from './vscode/features/documents/planDocument.ts';
import { ReadingTexts } from './vscode/features/documents/readingTexts.ts';
import { registerShowRequest } from './vscode/features/documents/showRequest.ts';
import { followMilestones } from './vscode/features/milestones.ts';
import { registerKey } from './vscode/features/models/key.ts';
import { registerModelPicker } from './vscode/features/models/modelPicker.ts';
import { prepareConnection, registerRehearsal } from './vscode/features/models/rehearsalStart.ts';
import { Permissions } from './vscode/features/permissions.ts';
import { registerDrafts } from './vscode/features/sessions/draftCommands.ts';
import { registerExport } from './vscode/features/sessions/exportCommands.ts';
import { registerSessionCommands } from './vscode/features/sessions/sessionCommands.ts';
import { registerSessionNotices } from './vscode/features/sessions/sessionNotices.ts';
import { takePromptCommands } from './vscode/features/slashCommands/promptCommands.ts';
import { registerStatusBar } from './vscode/features/statusBar.ts';
import { registerTerminalMirror } from './vscode/features/terminalMirror.ts';
import { controlPanel } from './vscode/panel/handlers/controlPanel.ts';
import { PanelView } from './vscode/panel/panelView.ts';
import { registerOpenChanges } from './vscode/review/openChanges.ts';
import { ProposalDiff } from './vscode/review/proposalDiff.ts';
import { proposalScheme } from './vscode/review/proposalUris.ts';
import { registerReview } from './vscode/review/registerReview.ts';
import { VirtualFiles } from './vscode/review/virtualFiles.ts';
import { SessionLibrary } from './vscode/sessionLibrary.ts';
import { WindowSurroundings, workspaceFolders } from './vscode/surroundings.ts';

export interface Composed {
  /** For other extensions. */
  readonly api: FolioApi;
  /** Ends everything and leaves it on the disk. */
  readonly shutDown: () => Promise<void>;
}

export async function compose(context: ExtensionContext): Promise<Composed> {
  const store = new DisposableStore();
  const ports = await composePorts(context, store);
  const { connection, agent, session } = composeSession(context, ports);
  const prepare = once(() => prepareConnection(connection, ports.env));
  composeWindow(context, store, ports, { connection, agent, session, prepare });
  return {
    api: windowApi({ ...ports, session, prepare, loadSchemaCheck }),
    shutDown: async () => {
      await session.close();
      await Promise.all([
        ports.processes.dispose(),
        ports.hooks.close(),
        ports.servers.close(),
        connection.close(),
      ]);
      store.dispose();
    },
  };
}

type SessionParts = ReturnType<typeof composeSession>;

function composeSession(context: ExtensionContext, ports: Ports) {
  const { log, settings } = ports;
  const connection = composeConnection(ports);
  const agent = once(() => makeAgent(context, ports, connection));
  const session = new ActiveSession({
    agent,
    log,
    tell: sentence => void window.showWarningMessage(sentence),
    last: {
      read: () => context.workspaceState.get<string>(lastSession),
      write: sessionId => void context.workspaceState.update(lastSession, sessionId),
    },
    preview: () => ({
      folders: workspaceFolders(),
      model: resolveInWindow(settings.get('model'), connection, settings),
      mode: firstMode(settings.get('approvalMode'), true),
    }),
  });
  return { connection, agent, session };
}

function composeWindow(
  context: ExtensionContext,
  store: DisposableStore,
  ports: Ports,
  { connection, agent, session, prepare }: SessionParts & { readonly prepare: () => Promise<void> },
): void {
  const { log, editor, processes, disk, files, settings, trust } = ports;
  const surroundings = store.add(new WindowSurroundings(connection, editor, ports));
  // Another provider has another key.
  store.add(settings.onDidChange(() => void connection.refresh()));
  store.add(
    lm.onDidChangeChatModels(() => {
      if (connection.name === 'vscode') void connection.relist(AbortSignal.timeout(30_000));
    }),
  );
  const pages = Uri.joinPath(context.extensionUri, 'dist', 'webview');
  const panel = store.add(new PanelView(pages, () => session.state, log));
  const virtualFiles = new VirtualFiles();
  store.add(workspace.registerFileSystemProvider(proposalScheme, virtualFiles, { isCaseSensitive: true }));
  const diff = store.add(new ProposalDiff(session, virtualFiles, log));
  const media = Uri.joinPath(context.extensionUri, 'media');
  const review = store.add(registerReview({ session, panel, virtualFiles, disk, media, log }));
  const outputs = store.add(new OutputOpen(session, disk));
  const place = () => ({
    home: join(homedir(), '.gemini'),
    names: settings.get('contextFileNames'),
    extra: settings.get('memoryFolders'),
    single: ports.additions.present?.extensions.memory ?? [],
    folders: workspaceFolders(),
    trusted: trust.isTrusted,
  });
  const library = store.add(makeLibrary(context, ports, { session, agent }));
  const permissions = store.add(new Permissions(session, panel, log));
  const modes = store.add(new ApprovalModes(session, settings, trust, log));
  const extensionFolders = once(async () => {
    const { NodeExtensionFolders } = await import('./node/extensionFolders/nodeExtensionFolders.ts');
    return new NodeExtensionFolders(homedir(), processes);
  });
  const promptCommands = takePromptCommands({
    session,
    library,
    connection,
    panel,
    modes,
    place,
    log,
    trust,
    files: disk,
    prompts: () => serverPrompts(() => ports.servers.present),
    resolveModel: name => resolveInWindow(name, connection, settings),
    home: homedir(),
    extensionFolders,
    serverAccess: once(async () => {
      const { makeServerAccess } = await import('./compose/windowServerAccess.ts');
      return makeServerAccess(context, ports);
    }),
    additions: ports.additions,
    texts: store.add(new ReadingTexts()),
    extension: context.extension,
  });
  const connecting = once(async () => {
    const { makeConnecting } = await import('./compose/connecting.ts');
    return store.add(makeConnecting(ports, connection, session, panel));
  });
  const mentions = once(async () => store.add(await makeMentionCompletion(ports)));
  store.add(
    controlPanel({
      panel,
      session,
      library,
      connection,
      surroundings,
      diff,
      outputs,
      review,
      promptCommands,
      prepare,
      log,
      permissions,
      modes,
      trust,
      consent: ports.consent,
      additions: ports.additions,
      servers: ports.servers,
      connectFlow: async () => (await connecting()).flow,
      completeMention: async (query, signal) => (await mentions()).complete(query, signal),
    }),
  );
  store.add(window.registerWebviewViewProvider(PanelView.viewId, panel));
  store.add(registerSessionCommands({ session, library, panel, log }));
  store.add(registerSessionNotices(session, panel, log));
  store.add(registerExport(session, library, log));
  store.add(registerDrafts({ session, agent, prepare, log }));
  store.add(registerCompression(session, panel, log));
  store.add(registerShowRequest(session, log));
  store.add(registerKey(async () => (await connecting()).keys, log));
  store.add(registerCommands(log, { 'folio.connect': () => panel.show('connect') }));
  store.add(registerHooks(ports.hooks, log));
  store.add(registerAdditions(ports.additions, log));
  store.add(
    registerCommands(log, {
      'folio.manageExtensions': async () => {
        const { manageExtensions } = await import('./vscode/features/slashCommands/manageExtensions.ts');
        return manageExtensions(promptCommands, await extensionFolders(), await ports.additions.get());
      },
    }),
  );
  store.add(
    registerCommands(log, {
      'folio.showServers': () => panel.show('mcp'),
      'folio.addServer': async () => {
        const { addServerBySteps } = await import('./vscode/features/slashCommands/addServer.ts');
        return addServerBySteps(promptCommands);
      },
    }),
  );
  store.add(offerToNeighbours(ports));
  store.add(registerModelPicker(session, connection, log));
  store.add(registerPlanDocument(session, log));
  store.add(
    registerCommands(log, { 'folio.reportBug': () => promptCommands.take('/bug', []).then(() => {}) }),
  );
  store.add(registerComments(session, review.names, Uri.joinPath(media, 'icon.svg'), log));
  store.add(registerAddSelection(panel, log));
  store.add(registerOpenChanges(session, virtualFiles, review.bases, log));
  const init = async () => {
    await panel.focus();
    await promptCommands.take('/init', []);
  };
  store.add(
    registerMemory({
      session,
      files,
      place,
      init,
      log,
      refresh: () => ports.additions.refresh(),
    }),
  );
  store.add(registerRehearsal(connection, panel, log));
  store.add(registerStatusBar(session));
  store.add(followMilestones(session, connection));
  store.add(registerTerminalMirror(processes));
}

/** Of the workspace: which session was shown, and when old ones were last put away. */
const lastSession = 'folio.lastSession';
const tidiedAt = 'folio.tidiedAt';

function makeLibrary(
  context: ExtensionContext,
  { settings, clock }: Ports,
  { session, agent }: Pick<SessionParts, 'session' | 'agent'>,
): SessionLibrary {
  const library = new SessionLibrary({
    session,
    agent,
    retentionDays: () => settings.get('retention.days'),
    tidied: {
      read: () => context.workspaceState.get<number>(tidiedAt),
      write: at => void context.workspaceState.update(tidiedAt, at),
    },
  });
  // Once the core is loaded anyway, and never before the person does something here.
  session.onDidSwitch(() => {
    if (session.present) void library.tidy(clock.now());
  });
  return library;
}

/** The list of the workspace's files is made with the first `@` that is typed. */
async function makeMentionCompletion({ files, search, editor, workbench, servers, log }: Ports) {
  const { MentionCompletion } = await import('./vscode/features/mentionSources.ts');
  return new MentionCompletion({
    editor,
    workbench,
    log,
    servers: () => servers.present,
    files,
    search: await search(),
  });
}
