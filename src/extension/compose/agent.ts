import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, window } from 'vscode';
import { type IsolatedPlace, isContainer } from '../../protocol/worktree.ts';
import type { StagingPorts, StagingWatcher } from '../core/changes/staging.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import { foldersInWorktree } from '../core/worktrees/worktreeFolders.ts';
import { ProgramFinder } from '../node/processes/programs.ts';
import type { Containers } from '../platform/containers.ts';
import type { ModelConnection } from '../vscode/modelConnection.ts';
import { FetchTransport } from '../vscode/ports/fetchTransport.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';
import type {
  AgentHost,
  HostCustomizations,
  HostStorage,
  HostWorkspace,
  UserInteraction,
} from './agentHost.ts';
import { loadVscodeTools } from './otherExtensions.ts';
import type { WindowPorts } from './ports.ts';
import { loadServerTools } from './serverTools.ts';
import { withContainerProcesses } from './workspaceSources.ts';

/** Loads the core, its tools and the agent of a window, on demand. */
export async function loadWindowSessionManager(
  context: ExtensionContext,
  ports: WindowPorts,
  access: ModelConnection,
): Promise<SessionManager> {
  const { makeSessionManager } = await import('./makeSessionManager.ts');
  const containers = await ports.containers();
  const host: AgentHost = {
    ...partsOf(ports),
    access,
    transport: new FetchTransport(),
    worktrees: await ports.worktrees(),
    workspace: await openWorkspace(ports),
    storage: await openStorage(context, ports),
    added: await loadAdded(ports),
    observers: await ports.observers(),
    moveTo: place => moveTo(place, host, ports, containers),
  };
  return makeSessionManager(host);
}

function partsOf(ports: WindowPorts) {
  const { log, settings, clock, processes, sandbox, editor, workbench, env, pages } = ports;
  const machine = { home: homedir(), platform: process.platform, env };
  const user = userAtWindow(ports);
  return { log, settings, clock, processes, sandbox, editor, workbench, machine, user, pages };
}

function moveTo(
  place: IsolatedPlace,
  host: AgentHost,
  ports: WindowPorts,
  containers: Containers,
): AgentHost {
  if (isContainer(place)) return withContainerProcesses(place, host, containers);
  const folders = foldersInWorktree(place, host.workspace.folders);
  // Tests and launch configurations of the editor belong to its own folders.
  const workspace = { ...host.workspace, folders, tests: undefined, makeDebugger: undefined };
  return { ...host, workspace, sandbox: ports.sandboxIn(folders) };
}

function userAtWindow({ apiKeys }: WindowPorts): UserInteraction {
  return {
    interactive: true,
    hasWindow: true,
    notify: sentence => void window.showWarningMessage(sentence),
    keyChanges: () => apiKeys.changes,
  };
}

async function openWorkspace(ports: WindowPorts): Promise<HostWorkspace> {
  const { files, disk, search, diagnostics, trust } = ports;
  const { EditorSaves } = await import('../vscode/ports/editorSaves.ts');
  const { VscodeTests } = await import('../vscode/ports/vscodeTests.ts');
  const { VscodeDebugger } = await import('../vscode/vscodeDebugger.ts');
  const { VscodeLanguages } = await import('../vscode/ports/vscodeLanguages.ts');
  const { GitFiles } = await import('../node/git/gitFiles.ts');
  const { editorChecks } = await import('../node/checks/editorChecks.ts');
  return {
    // A getter, since later sessions use the folders that are open then.
    get folders() {
      return workspaceFolders();
    },
    trusted: () => trust.isTrusted,
    files,
    editors: new EditorSaves(disk),
    search: await search(),
    versionControl: new GitFiles(new ProgramFinder(workspaceFolders)),
    languages: new VscodeLanguages(),
    tests: new VscodeTests(),
    makeDebugger: () => new VscodeDebugger(),
    slots: await openSlots(ports),
    serverProblems: diagnostics,
    diagnostics: (_policy, grammars) => editorChecks(diagnostics, { files, grammars }),
  };
}

/** Shared by the sessions of this window, and with other windows. */
async function openSlots({ settings }: WindowPorts) {
  const { SessionSlots } = await import('../core/session/sessionSlots.ts');
  const { WorkingSessionCounter } = await import('../node/sessions/workingSessionCounter.ts');
  return new SessionSlots(() => settings.get('parallel.max'), new WorkingSessionCounter(homedir()));
}

async function openStorage(
  { storageUri, globalStorageUri }: ExtensionContext,
  { log, inbox }: WindowPorts,
): Promise<HostStorage> {
  const { NodeSessionStore } = await import('../node/sessions/nodeSessionStore.ts');
  const { NodeBlobStore } = await import('../node/sessions/nodeBlobStore.ts');
  const { fsPath: folder } = storageUri ?? globalStorageUri;
  return {
    sessions: new NodeSessionStore(join(folder, 'sessions')),
    blobs: new NodeBlobStore(join(folder, 'blobs'), undefined, log),
    inbox: await inbox(),
  };
}

async function loadAdded(ports: WindowPorts): Promise<HostCustomizations> {
  const { policyFilesWith } = await import('./extensions.ts');
  const { consent, documents, servers } = ports;
  const clientExtensions = await ports.clientExtensions();
  const additions = await ports.additions.get();
  // The first session needs the workspace's settings.
  await additions.refresh();
  const vscodeTools = await loadVscodeTools();
  const serverTools = await loadServerTools(() => servers.present);
  return {
    consent,
    additions,
    policyFiles: policyFilesWith(additions, { home: homedir(), folders: workspaceFolders }, documents),
    hooks: await ports.hooks.get(),
    servers: () => servers.present,
    tools: [() => () => clientExtensions.tools, () => vscodeTools.list, serverTools],
    hasBrowser: () => vscodeTools.hasBrowser,
    promptContext: (prompt, signal) => clientExtensions.readContext(prompt, signal),
  };
}

/** Loads the tracking of staged changes, once a session has pending changes. */
export async function loadStaging({ ledger, gitTracker }: StagingPorts): Promise<StagingWatcher> {
  const [{ GitFiles }, { StagingWatcher }] = await Promise.all([
    import('../node/git/gitFiles.ts'),
    import('../core/changes/staging.ts'),
  ]);
  return new StagingWatcher(ledger, gitTracker, new GitFiles(new ProgramFinder(workspaceFolders)));
}
