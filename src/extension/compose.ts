/*
 * The composition root of the extension: every long-lived object is made here, in order. What takes part only once
 * something is asked (the core, its tools, the model SDK, the rehearsal) is imported when it is.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, env, lm, Uri, window, workspace } from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { once } from './base/once.ts';
import { makeAdditions } from './compose/additions.ts';
import { loadSchemaCheck, loadVscodeTools, offerToNeighbours } from './compose/neighbours.ts';
import { composeServers } from './compose/servers.ts';
import { loadServerTools, serverPrompts } from './compose/serverTools.ts';
import type { Agent } from './core/agent.ts';
import type { ModelProvider } from './core/model.ts';
import { firstMode } from './core/policy/firstMode.ts';
import type { ToolSurface } from './core/session/surroundings.ts';
import { chosenProvider } from './models/chosenProvider.ts';
import { addressOf, providers, vertexPlace } from './models/providers.ts';
import { readFileSettings } from './node/fileSettings.ts';
import { hasGoogleCredentials } from './node/googleCredentialFiles.ts';
import { NodeFileSystem } from './node/nodeFileSystem.ts';
import { NodeProcesses } from './node/nodeProcesses.ts';
import { SystemClock } from './node/systemClock.ts';
import type { ProviderName, Settings } from './platform/settings.ts';
import { ActiveSession } from './vscode/activeSession.ts';
import type { FolioApi } from './vscode/api/folioApi.ts';
import type { Guests } from './vscode/api/guests.ts';
import { windowApi } from './vscode/api/windowApi.ts';
import { Connection } from './vscode/connection.ts';
import { registerAddSelection } from './vscode/features/addSelection.ts';
import { ApprovalModes } from './vscode/features/approvalMode.ts';
import { registerCommands } from './vscode/features/commands.ts';
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
import { ReadingTexts } from './vscode/features/readingTexts.ts';
import { prepareConnection, registerRehearsal } from './vscode/features/rehearsalStart.ts';
import { registerSessionCommands } from './vscode/features/sessionCommands.ts';
import { registerSessionNotices } from './vscode/features/sessionNotices.ts';
import { registerShowRequest } from './vscode/features/showRequest.ts';
import { registerStatusBar } from './vscode/features/statusBar.ts';
import { registerTerminalMirror } from './vscode/features/terminalMirror.ts';
import { VirtualFiles } from './vscode/features/virtualFiles.ts';
import { registerAdditions, WindowAdditions } from './vscode/features/windowAdditions.ts';
import { readiness } from './vscode/languageModels/readiness.ts';
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

type Ports = Awaited<ReturnType<typeof composePorts>>;
type SessionParts = ReturnType<typeof composeSession>;

async function composePorts(context: ExtensionContext, store: DisposableStore) {
  const log = new OutputLog(store.add(window.createOutputChannel('Folio', { log: true })));
  const homeFile = join(homedir(), '.gemini', 'settings.json');
  const fallback = await readFileSettings({ homeFile, warn: sentence => log.warn(sentence) });
  const settings = store.add(new VscodeSettings(fallback));
  const additions = store.add(new WindowAdditions(() => makeAdditions(context, settings), log));
  const clock = new SystemClock();
  const guests = once(async () => new (await import('./vscode/api/guests.ts')).Guests(log));
  return {
    log,
    env: process.env,
    clock,
    disk: new NodeFileSystem(),
    processes: new NodeProcesses(process.env),
    settings,
    secrets: new VscodeSecrets(context.secrets, process.env),
    editor: store.add(new VscodeEditor()),
    diagnostics: store.add(new EditorDiagnostics()),
    workbench: store.add(new VscodeWorkbench()),
    search: once(findSearch),
    guests,
    hooks: new WindowHooks(async () => makeHooks(await guests(), additions), log, additions.onDidChange),
    additions,
    servers: composeServers(context, additions, { clock, log, env: process.env }),
  };
}

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
      model: settings.get('model'),
      mode: firstMode(settings.get('approvalMode'), true),
    }),
  });
  return { connection, agent, session };
}

function composeConnection({ log, settings, secrets, clock, env: environment }: Ports): Connection {
  const newId = () => clock.newId();
  const baseUrl = (provider: ProviderName) => addressOf(provider, settings, environment);
  const apiKey = async (provider: ProviderName) => {
    const { secret } = providers[provider];
    return secret && secrets.read(secret);
  };
  return new Connection({
    ...{ log, baseUrl, apiKey },
    provider: () => settings.get('provider'),
    isReady: readiness({
      ...{ baseUrl, apiKey },
      hasGoogleCredentials: () => hasGoogleCredentials(environment),
    }),
    knownModels: provider => providers[provider].knownModels,
    createProvider: endpoint =>
      chosenProvider({
        ...{ ...endpoint, newId },
        contextLimit: () => settings.get('openai.contextLimit'),
        vertex: vertexPlace(settings, environment),
        loadVscode: () => loadLanguageModels(newId),
      }),
    startRehearsal: async () => (await import('./rehearsal/rehearsal.ts')).startRehearsal(),
  });
}

/** The models that other extensions offer. */
async function loadLanguageModels(newId: () => string): Promise<ModelProvider> {
  const { createLanguageModelProvider } = await import('./vscode/languageModels/languageModelProvider.ts');
  const { vscodeLanguageModels } = await import('./vscode/languageModels/vscodeLanguageModels.ts');
  return createLanguageModelProvider(vscodeLanguageModels, newId);
}

function composeWindow(
  context: ExtensionContext,
  store: DisposableStore,
  ports: Ports,
  { connection, agent, session, prepare }: SessionParts & { readonly prepare: () => Promise<void> },
): void {
  const { log, editor, secrets, processes, disk, settings } = ports;
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
    trusted: workspace.isTrusted,
  });
  const library = store.add(makeLibrary(context, ports, { session, agent }));
  const permissions = store.add(new Permissions(session, panel, log));
  const modes = store.add(new ApprovalModes(session, settings, log));
  const promptCommands = takePromptCommands({
    ...{ session, library, connection, panel, modes, place, log, files: disk },
    prompts: () => serverPrompts(() => ports.servers.present),
    ...{ additions: ports.additions, texts: store.add(new ReadingTexts()), extension: context.extension },
  });
  const mentions = once(async () => store.add(await makeMentionCompletion(ports)));
  store.add(
    controlPanel({
      ...{ panel, session, library, connection, surroundings, diff, outputs, review, promptCommands },
      ...{ prepare, log, permissions, modes, hooks: ports.hooks, additions: ports.additions },
      servers: ports.servers,
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
  store.add(registerKey(secrets, connection, log));
  store.add(registerHooks(ports.hooks, log));
  store.add(registerAdditions(ports.additions, log));
  store.add(registerCommands(log, { 'folio.showServers': () => panel.show('mcp') }));
  store.add(offerToNeighbours(ports));
  store.add(registerModelPicker(session, connection, log));
  store.add(registerPlanDocument(session, log));
  store.add(registerAddSelection(panel, log));
  store.add(registerOpenChanges(session, virtualFiles, review.bases, log));
  const init = async () => {
    await panel.focus();
    await promptCommands.take('/init', []);
  };
  store.add(
    registerMemory({
      ...{ session, files: new EditorFileSystem(disk), place, init, log },
      refresh: () => ports.additions.refresh(),
    }),
  );
  store.add(registerRehearsal(connection, panel, log));
  store.add(registerStatusBar(session));
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
    ...{ session, agent },
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

/** The core and its tools are loaded here, and not before. */
async function makeAgent(context: ExtensionContext, ports: Ports, connection: Connection): Promise<Agent> {
  const { assembleAgent } = await import('./assemble.ts');
  const { lazyHttp } = await import('./node/lazyHttp.ts');
  const { policyFilesWith } = await import('./compose/extensions.ts');
  const { SeenFile } = await import('./node/seenFile.ts');
  const { NodeSessionStore } = await import('./node/nodeSessionStore.ts');
  const { NodeBlobStore } = await import('./node/nodeBlobStore.ts');
  const { GitDiff } = await import('./node/gitDiff.ts');
  const { GitFiles } = await import('./node/gitFiles.ts');
  const { log, settings, clock, processes, editor, diagnostics, workbench, disk } = ports;
  const guests = await ports.guests();
  const additions = await ports.additions.get();
  const vscodeTools = await loadVscodeTools();
  const serverToolsOf = await loadServerTools(() => ports.servers.present);
  const serverTools = (session: ToolSurface) =>
    serverToolsOf(() => contextLimitOf(session.model(), connection, settings));
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
    additions,
    moreTools: [() => () => guests.tools, () => vscodeTools, serverTools],
    promptContext: (prompt, signal) => guests.readContext(prompt, signal),
    policyFiles: policyFilesWith(additions, { home: homedir(), folders: workspaceFolders }),
    seen: new SeenFile(join(homedir(), '.folio', 'seen.txt')),
    provider: () => connection.provider,
    contextLimit: model => contextLimitOf(model, connection, settings),
    searchesWeb: () => providers[connection.name].searchesWeb,
    ownModels: () => providers[connection.name].ownModels,
    costOf: (model, usage) => providers[connection.name].costOf(model, usage),
    trusted: () => workspace.isTrusted,
    servers: () => ports.servers.present,
    trustedServers: () => ports.servers.present?.trusted ?? [],
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
  return providers[connection.name].contextLimit(model, settings.get('openai.contextLimit'));
}

/** What runs hooks is loaded once the window stands, or with the agent. */
async function makeHooks(guests: Guests, additions: WindowAdditions) {
  const { Hooks } = await import('./core/hooks/hooks.ts');
  const { hookExtensions } = await import('./compose/extensions.ts');
  const { NodeHookFiles } = await import('./node/hookFiles.ts');
  const { NodeHookProcesses } = await import('./node/hookProcess.ts');
  const { SeenFile } = await import('./node/seenFile.ts');
  const person = [join(homedir(), '.gemini', 'settings.json')];
  return new Hooks({
    files: new NodeHookFiles({
      ...{ person, folders: workspaceFolders },
      ...hookExtensions(() => additions.get()),
    }),
    processes: guests.processes(new NodeHookProcesses(process.env)),
    added: () => guests.hooks,
    seen: new SeenFile(join(homedir(), '.folio', 'seen.txt')),
    trusted: () => workspace.isTrusted,
    tell: sentence => void window.showWarningMessage(sentence),
  });
}

/** The list of the workspace's files is made with the first `@` that is typed. */
async function makeMentionCompletion({ disk, search, editor, workbench, servers, log }: Ports) {
  const { MentionCompletion } = await import('./vscode/features/mentionSources.ts');
  return new MentionCompletion({
    ...{ editor, workbench, log },
    servers: () => servers.present,
    files: new EditorFileSystem(disk),
    search: await search(),
  });
}

async function findSearch() {
  const { NodeSearch } = await import('./node/nodeSearch.ts');
  const { ripgrepsOf } = await import('./node/findRipgrep.ts');
  return new NodeSearch(ripgrepsOf(env.appRoot));
}
