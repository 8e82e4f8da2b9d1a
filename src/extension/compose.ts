/*
 * The composition root of the extension: every long-lived object is made here, in order. What takes part only once
 * something is asked (the core, its tools, the model SDK, the rehearsal) is imported when it is.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, env, Uri, window, workspace } from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import type { Agent } from './core/agent.ts';
import { firstMode } from './core/policy/firstMode.ts';
import { chosenProvider } from './models/chosenProvider.ts';
import { findContextLimit } from './models/gemini/models.ts';
import { geminiCost } from './models/gemini/prices.ts';
import { findChatContextLimit } from './models/openai/models.ts';
import { readFileSettings } from './node/fileSettings.ts';
import { GitDiff } from './node/gitDiff.ts';
import { GitFiles } from './node/gitFiles.ts';
import { NodeBlobStore } from './node/nodeBlobStore.ts';
import { NodeFileSystem } from './node/nodeFileSystem.ts';
import { NodeProcesses } from './node/nodeProcesses.ts';
import { NodeSessionStore } from './node/nodeSessionStore.ts';
import { SystemClock } from './node/systemClock.ts';
import type { Settings } from './platform/settings.ts';
import { ActiveSession } from './vscode/activeSession.ts';
import { Connection } from './vscode/connection.ts';
import { registerAddSelection } from './vscode/features/addSelection.ts';
import { ApprovalModes } from './vscode/features/approvalMode.ts';
import { registerCompression } from './vscode/features/compression.ts';
import { registerDrafts } from './vscode/features/draftCommands.ts';
import { registerExport } from './vscode/features/exportCommands.ts';
import { registerHooks, WindowHooks } from './vscode/features/hooks.ts';
import { registerKey } from './vscode/features/key.ts';
import { registerMemory } from './vscode/features/memoryCommands.ts';
import { registerModelPicker } from './vscode/features/modelPicker.ts';
import { registerOpenChanges } from './vscode/features/openChanges.ts';
import { OutputOpen } from './vscode/features/outputOpen.ts';
import { Permissions } from './vscode/features/permissions.ts';
import { registerPlanDocument } from './vscode/features/planDocument.ts';
import { takePromptCommands } from './vscode/features/promptCommands.ts';
import { ProposalDiff } from './vscode/features/proposalDiff.ts';
import { proposalScheme } from './vscode/features/proposalUris.ts';
import { prepareConnection, registerRehearsal } from './vscode/features/rehearsalStart.ts';
import { registerSessionCommands } from './vscode/features/sessionCommands.ts';
import { registerShowRequest } from './vscode/features/showRequest.ts';
import { registerStatusBar } from './vscode/features/statusBar.ts';
import { registerTerminalMirror } from './vscode/features/terminalMirror.ts';
import { VirtualFiles } from './vscode/features/virtualFiles.ts';
import { controlPanel } from './vscode/panel/controlPanel.ts';
import { PanelView } from './vscode/panel/panelView.ts';
import { EditorDiagnostics } from './vscode/ports/editorDiagnostics.ts';
import { EditorFileSystem } from './vscode/ports/editorFileSystem.ts';
import { OutputLog } from './vscode/ports/outputLog.ts';
import { VscodeEditor } from './vscode/ports/vscodeEditor.ts';
import { VscodeSecrets } from './vscode/ports/vscodeSecrets.ts';
import { VscodeSettings } from './vscode/ports/vscodeSettings.ts';
import { VscodeWorkbench } from './vscode/ports/vscodeWorkbench.ts';
import { registerReview } from './vscode/review/registerReview.ts';
import { WindowSurroundings, workspaceFolders } from './vscode/surroundings.ts';

/** Returns what ends everything and leaves it on the disk. */
export async function compose(context: ExtensionContext): Promise<() => Promise<void>> {
  const store = new DisposableStore();
  const ports = await composePorts(context, store);
  const { connection, agent, session } = composeSession(context, ports);
  composeWindow(context, store, ports, { connection, agent, session });
  return async () => {
    await session.close();
    await Promise.all([ports.processes.dispose(), ports.hooks.close(), connection.close()]);
    store.dispose();
  };
}

type Ports = Awaited<ReturnType<typeof composePorts>>;
type SessionParts = ReturnType<typeof composeSession>;

async function composePorts(context: ExtensionContext, store: DisposableStore) {
  const log = new OutputLog(store.add(window.createOutputChannel('Folio', { log: true })));
  const homeFile = join(homedir(), '.gemini', 'settings.json');
  const fallback = await readFileSettings({ homeFile, warn: sentence => log.warn(sentence) });
  return {
    log,
    env: process.env,
    clock: new SystemClock(),
    disk: new NodeFileSystem(),
    processes: new NodeProcesses(process.env),
    settings: store.add(new VscodeSettings(fallback)),
    secrets: new VscodeSecrets(context.secrets, process.env),
    editor: store.add(new VscodeEditor()),
    diagnostics: store.add(new EditorDiagnostics()),
    workbench: store.add(new VscodeWorkbench()),
    search: once(findSearch),
    hooks: new WindowHooks(makeHooks, log),
  };
}

function composeSession(context: ExtensionContext, ports: Ports) {
  const { log, settings, secrets, clock } = ports;
  const connection = new Connection({
    secrets,
    log,
    provider: () => settings.get('provider'),
    baseUrl: provider =>
      provider === 'gemini'
        ? settings.get('baseUrl') || ports.env.GOOGLE_GEMINI_BASE_URL || ''
        : settings.get('openai.baseUrl') || ports.env.OPENAI_BASE_URL || '',
    createProvider: endpoint =>
      chosenProvider({
        ...{ ...endpoint, newId: () => clock.newId() },
        contextLimit: () => settings.get('openai.contextLimit'),
      }),
    startRehearsal: async () => (await import('./rehearsal/rehearsal.ts')).startRehearsal(),
  });
  const agent = once(() => makeAgent(context, ports, connection));
  const session = new ActiveSession({
    agent,
    log,
    last: {
      read: () => context.workspaceState.get<string>(lastSession),
      write: sessionId => void context.workspaceState.update(lastSession, sessionId),
    },
    preview: () => ({
      folders: workspaceFolders(),
      model: settings.get('model'),
      mode: firstMode(settings.get('approvalMode'), true),
    }),
  });
  return { connection, agent, session };
}

function composeWindow(
  context: ExtensionContext,
  store: DisposableStore,
  ports: Ports,
  { connection, agent, session }: SessionParts,
): void {
  const { log, editor, secrets, processes, disk, settings, env: environment } = ports;
  const surroundings = store.add(new WindowSurroundings(connection, editor, ports.hooks));
  // Another provider has another key.
  store.add(settings.onDidChange(() => void connection.refresh()));
  const pages = Uri.joinPath(context.extensionUri, 'dist', 'webview');
  const panel = store.add(new PanelView(pages, () => session.state, log));
  const virtualFiles = new VirtualFiles();
  store.add(workspace.registerFileSystemProvider(proposalScheme, virtualFiles, { isCaseSensitive: true }));
  const diff = store.add(new ProposalDiff(session, virtualFiles, log));
  const media = Uri.joinPath(context.extensionUri, 'media');
  const review = store.add(registerReview({ session, panel, virtualFiles, disk, media, log }));
  const outputs = store.add(new OutputOpen(session, disk));
  const prepare = once(() => prepareConnection(connection, environment));
  const place = () => ({
    home: join(homedir(), '.gemini'),
    names: settings.get('contextFileNames'),
    extra: settings.get('memoryFolders'),
    folders: workspaceFolders(),
    trusted: workspace.isTrusted,
  });
  const promptCommands = takePromptCommands({ session, panel, files: disk, place });
  const permissions = store.add(new Permissions(session, panel, log));
  const modes = store.add(new ApprovalModes(session, settings, log));
  const mentions = once(async () => store.add(await makeMentionCompletion(ports)));
  store.add(
    controlPanel({
      ...{ panel, session, connection, surroundings, agent, diff, outputs, review, promptCommands },
      ...{ prepare, log, permissions, modes, hooks: ports.hooks },
      completeMention: async (query, signal) => (await mentions()).complete(query, signal),
    }),
  );
  store.add(window.registerWebviewViewProvider(PanelView.viewId, panel));
  store.add(registerSessionCommands({ session, panel, agent, log }));
  store.add(registerExport(session, log));
  store.add(registerDrafts({ session, agent, prepare, log }));
  store.add(registerCompression(session, panel, log));
  store.add(registerShowRequest(session, log));
  store.add(registerKey(secrets, connection, log));
  store.add(registerHooks(ports.hooks, log));
  store.add(registerModelPicker(session, connection, log));
  store.add(registerPlanDocument(session, log));
  store.add(registerAddSelection(panel, log));
  store.add(registerOpenChanges(session, virtualFiles, review.bases, log));
  const init = async () => {
    await panel.focus();
    await promptCommands.take('/init', []);
  };
  store.add(registerMemory({ session, files: new EditorFileSystem(disk), place, init, log }));
  store.add(registerRehearsal(connection, panel, log));
  store.add(registerStatusBar(session));
  store.add(registerTerminalMirror(processes));
}

/** Of the workspace: which session was open. */
const lastSession = 'folio.lastSession';

/** The core and its tools are loaded here, and not before. */
async function makeAgent(context: ExtensionContext, ports: Ports, connection: Connection): Promise<Agent> {
  const { assembleAgent } = await import('./assemble.ts');
  const { lazyHttp } = await import('./node/lazyHttp.ts');
  const { NodePolicyFiles } = await import('./node/policyFiles.ts');
  const { SeenFile } = await import('./node/seenFile.ts');
  const { log, settings, clock, processes, editor, diagnostics, workbench, disk } = ports;
  const { fsPath: storage } = context.storageUri ?? context.globalStorageUri;
  return assembleAgent({
    ...{ log, settings, clock, processes, editor, diagnostics, workbench, env: ports.env },
    // A getter: a session made later works in the folders that are open then.
    get folders() {
      return workspaceFolders();
    },
    files: new EditorFileSystem(disk),
    search: await ports.search(),
    http: lazyHttp(),
    store: new NodeSessionStore(join(storage, 'sessions')),
    blobs: new NodeBlobStore(join(storage, 'blobs'), undefined, log),
    versionControl: new GitFiles(),
    workingDiff: new GitDiff(),
    hooks: await ports.hooks.get(),
    policyFiles: new NodePolicyFiles({ home: homedir(), folders: workspaceFolders }),
    seen: new SeenFile(join(homedir(), '.folio', 'seen.txt')),
    provider: () => connection.provider,
    contextLimit: model => contextLimitOf(model, connection, settings),
    searchesWeb: () => connection.name === 'gemini',
    costOf: geminiCost,
    trusted: () => workspace.isTrusted,
    interactive: true,
    home: homedir(),
    platform: process.platform,
    shell: process.platform === 'win32' ? 'PowerShell' : 'bash',
    tell: sentence => void window.showWarningMessage(sentence),
  });
}

function contextLimitOf(model: string, connection: Connection, settings: Settings): number {
  const listed = connection.models.find(({ id }) => id === model)?.contextLimit;
  if (listed !== undefined) return listed;
  if (connection.name === 'gemini') return findContextLimit(model);
  return findChatContextLimit(model, settings.get('openai.contextLimit'));
}

/** What runs hooks is loaded once the window stands, or with the agent. */
async function makeHooks() {
  const { Hooks } = await import('./core/hooks/hooks.ts');
  const { NodeHookFiles } = await import('./node/hookFiles.ts');
  const { NodeHookProcesses } = await import('./node/hookProcess.ts');
  const { SeenFile } = await import('./node/seenFile.ts');
  const person = [join(homedir(), '.gemini', 'settings.json')];
  return new Hooks({
    files: new NodeHookFiles({ person, folders: workspaceFolders }),
    processes: new NodeHookProcesses(process.env),
    seen: new SeenFile(join(homedir(), '.folio', 'seen.txt')),
    trusted: () => workspace.isTrusted,
    tell: sentence => void window.showWarningMessage(sentence),
  });
}

/** The list of the workspace's files is made with the first `@` that is typed. */
async function makeMentionCompletion({ disk, search, editor, workbench, log }: Ports) {
  const { MentionCompletion } = await import('./vscode/features/mentionSources.ts');
  return new MentionCompletion({
    ...{ editor, workbench, log },
    files: new EditorFileSystem(disk),
    search: await search(),
  });
}

async function findSearch() {
  const { NodeSearch } = await import('./node/nodeSearch.ts');
  const { ripgrepsOf } = await import('./node/findRipgrep.ts');
  return new NodeSearch(ripgrepsOf(env.appRoot));
}

/** Makes it when it is first asked for; after a failure the next who asks tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch(error => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
