/* The ports of a window, used by everything else. */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, type ExtensionContext, env, type Memento, Uri, window } from 'vscode';
import { t } from '../../protocol/language.ts';
import type { DisposableStore } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import { ConsentService } from '../core/consent/consentService.ts';
import type { Inbox } from '../core/context/inbox/inbox.ts';
import type { MemorySources } from '../core/context/memoryPlace.ts';
import type { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';
import type { Hooks } from '../core/hooks/hooks.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import { NodeFileSystem } from '../node/files/nodeFileSystem.ts';
import { realPathOrSame } from '../node/files/realPath.ts';
import { NodeProcesses } from '../node/processes/nodeProcesses.ts';
import { ProgramFinder } from '../node/processes/programs.ts';
import { terminalsFrom } from '../node/processes/terminalProcess.ts';
import { type FileSettings, managedFileOf, readFileSettings } from '../node/settings/fileSettings.ts';
import { SeenItemsFile } from '../node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../node/settings/settingsDocuments.ts';
import { hasTrustSettings } from '../node/settings/trustFile.ts';
import { SystemClock } from '../node/systemClock.ts';
import type { SessionObservers } from '../observers/sessionObservers.ts';
import type { SessionBrowsers } from '../platform/browser/browser.ts';
import type { ChosenEncodings } from '../platform/fileEncodings.ts';
import type { Settings } from '../platform/settings.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';
import { KeylessServer } from '../vscode/connect/keylessServer.ts';
import { WindowHooks } from '../vscode/features/customizations/hooks.ts';
import { WindowCustomizations } from '../vscode/features/customizations/windowCustomizations.ts';
import type { WindowMcpServers } from '../vscode/features/customizations/windowMcpServers.ts';
import { EditorDiagnostics } from '../vscode/ports/editorDiagnostics.ts';
import { EditorFileSystem, findUri } from '../vscode/ports/editorFileSystem.ts';
import { OutputLog } from '../vscode/ports/outputLog.ts';
import { VscodeApiKeys } from '../vscode/ports/vscodeApiKeys.ts';
import { VscodeEditor } from '../vscode/ports/vscodeEditor.ts';
import { VscodeSettings } from '../vscode/ports/vscodeSettings.ts';
import { VscodeWorkbench } from '../vscode/ports/vscodeWorkbench.ts';
import { windowProxy } from '../vscode/ports/windowProxy.ts';
import { WindowTrust, type WindowUntrustedReason } from '../vscode/windowTrust.ts';
import { includeFolders, workspaceFolders } from '../vscode/workspaceFolders.ts';
import type { HostSandbox } from './agentHost.ts';
import { hostSandbox } from './hostSandbox.ts';
import { memorySources } from './memorySources.ts';
import { composeServers } from './servers.ts';

const keylessServer = 'folio.keylessServer';

/** Reads settings and trust first, since the other ports depend on them. */
export async function makeWindowPorts(
  context: ExtensionContext,
  store: DisposableStore,
): Promise<WindowPorts> {
  const log = new OutputLog(store.add(window.createOutputChannel('Folio', { log: true })));
  const homeFile = join(homedir(), '.gemini', 'settings.json');
  const fallback = await readFileSettings({
    homeFile,
    managedFile: managedFileOf(process.platform),
    warn: sentence => log.warn(sentence),
    onUnusable: () => void reportUnusable(homeFile),
  });
  if (fallback.included.length > 0) await includeOf(fallback, sentence => log.warn(sentence));
  const trust = store.add(new WindowTrust(findDistrust));
  await trust.refresh();
  return new WindowPorts(context, store, log, fallback, trust);
}

async function includeOf({ included }: FileSettings, warn: (sentence: string) => void): Promise<void> {
  const { findIncludedFolders } = await import('../node/settings/includedFolders.ts');
  includeFolders(await findIncludedFolders(included, { base: workspaceFolders()[0], home: homedir(), warn }));
}

/** Unusable values are reported once. Corrections apply to the next window. */
async function reportUnusable(file: string): Promise<void> {
  const sentence = t(
    "{0} cannot be read, so its settings are ignored. Folio's log says why. Correct it, then reload the window.",
    file,
  );
  const open = t('Open');
  if ((await window.showWarningMessage(sentence, open)) === open)
    await commands.executeCommand('vscode.open', Uri.file(file));
}

async function loadEncodings(): Promise<ChosenEncodings> {
  const { EditorEncodings } = await import('../vscode/editorEncodings.ts');
  return new EditorEncodings(path => findUri(path, realPathOrSame));
}

export class WindowPorts {
  readonly env = process.env;
  readonly clock = new SystemClock();
  readonly pages: SessionBrowsers = new Map();
  readonly disk = new NodeFileSystem(undefined, loadEncodings);
  readonly programs = new ProgramFinder(workspaceFolders);
  readonly processes = new NodeProcesses(
    process.env,
    undefined,
    // VS Code's own build fits exactly this host. A bundled package would need binaries for six systems.
    terminalsFrom(['node_modules.asar', 'node_modules'].map(folder => join(env.appRoot, folder, 'node-pty'))),
    this.programs,
    true,
  );
  readonly documents = new NodeSettingsDocuments();
  readonly sandbox = this.makeSandbox(workspaceFolders);
  /** By the folders of a worktree. */
  private readonly otherSandboxes = new Map<string, HostSandbox>();
  readonly search = once(() => findSearch(this));
  /** Sessions of all windows keep their worktrees in one folder of the user. */
  readonly worktrees = once(async () => {
    const { GitWorktrees } = await import('../node/git/gitWorktrees.ts');
    return new GitWorktrees(join(homedir(), '.folio', 'worktrees'), this.programs);
  });
  readonly containers = once(async () => {
    const { makeDevContainers } = await import('./workspaceSources.ts');
    return makeDevContainers(this.programs, this.env, this.consent);
  });
  readonly observers = once(async () => {
    const [{ SessionObservers }, { FetchTransport }] = await Promise.all([
      import('../observers/sessionObservers.ts'),
      import('../vscode/ports/fetchTransport.ts'),
    ]);
    const { env, settings, clock, log, version } = this;
    const transport = new FetchTransport();
    const machine = { env, home: homedir() };
    const observers = new SessionObservers({ machine, settings, clock, log, version, transport });
    this.watching = observers;
    return observers;
  });
  private watching: SessionObservers | undefined;
  readonly traceOf: SessionObservers['traceOf'] = callId => this.watching?.traceOf(callId);
  readonly clientExtensions = once(
    async () => new (await import('../vscode/api/clientExtensions.ts')).ClientExtensions(this.log),
  );
  private readonly version: string;
  readonly log: OutputLog;
  readonly trust: WindowTrust;
  readonly settings: VscodeSettings;
  readonly consent: ConsentService;
  readonly additions: WindowCustomizations;
  readonly editor: VscodeEditor;
  readonly files: EditorFileSystem;
  readonly apiKeys: VscodeApiKeys;
  readonly keyless: KeylessServer;
  readonly diagnostics: EditorDiagnostics;
  readonly workbench: VscodeWorkbench;
  readonly hooks: WindowHooks;
  readonly servers: WindowMcpServers<McpServers>;
  /** Memory entries that sessions propose. */
  readonly inbox: () => Promise<Inbox>;

  constructor(
    context: ExtensionContext,
    store: DisposableStore,
    log: OutputLog,
    fallback: FileSettings,
    trust: WindowTrust,
  ) {
    this.version = String(context.extension.packageJSON.version);
    this.log = log;
    this.trust = trust;
    this.settings = store.add(new VscodeSettings(fallback, trust));
    this.consent = new ConsentService(SeenItemsFile.ofUser(homedir()), () => trust.isTrusted);
    this.additions = this.openAdditions(context, store, fallback);
    this.editor = store.add(new VscodeEditor());
    this.files = new EditorFileSystem(this.disk, this.editor);
    this.apiKeys = new VscodeApiKeys(context.secrets, this.env);
    this.keyless = rememberKeyless(context.globalState);
    this.diagnostics = store.add(new EditorDiagnostics());
    this.workbench = store.add(new VscodeWorkbench());
    this.hooks = this.openHooks();
    this.servers = composeServers(context, this.additions, this);
    this.inbox = once(() => this.openInbox(context));
  }

  /** Resolves when none of their processes is left. */
  async close(): Promise<void> {
    const { processes, hooks, servers, watching } = this;
    await Promise.all([processes.dispose(), hooks.close(), servers.close(), watching?.close()]);
    await Promise.all([this.sandbox, ...this.otherSandboxes.values()].map(sandbox => sandbox.dispose()));
  }

  /** Returns a sandbox for commands in these folders instead of the workspace's. */
  sandboxIn(folders: readonly string[]): HostSandbox {
    const key = folders.join('\0');
    const sandbox = this.otherSandboxes.get(key) ?? this.makeSandbox(() => folders);
    this.otherSandboxes.set(key, sandbox);
    return sandbox;
  }

  private makeSandbox(folders: () => readonly string[]): HostSandbox {
    return hostSandbox({
      folders,
      home: homedir(),
      platform: process.platform,
      path: process.env.PATH,
      instructionNames: () => this.settings.get('contextFileNames'),
      proxy: () => windowProxy(process.env),
    });
  }

  /** Returns where to look for memory files now. */
  memorySources(): MemorySources {
    const place = { folders: workspaceFolders(), trusted: () => this.trust.isTrusted };
    return memorySources(homedir(), place, this.settings, this.additions.present);
  }

  private async openInbox({ storageUri, globalStorageUri }: ExtensionContext): Promise<Inbox> {
    const [made, { SharedTextFile }] = await Promise.all([
      import('../core/context/inbox/inbox.ts'),
      import('../node/sessions/sharedTextFile.ts'),
    ]);
    const root = join((storageUri ?? globalStorageUri).fsPath, 'sessions');
    const file = new SharedTextFile(root, 'inbox', () => workspaceFolders()[0]);
    return new made.Inbox({ file, files: this.disk, place: () => this.memorySources() });
  }

  /** Includes settings that an addition brings. */
  private openAdditions(
    context: ExtensionContext,
    store: DisposableStore,
    fallback: FileSettings,
  ): WindowCustomizations {
    const { settings, consent, documents, trust, log } = this;
    const make = () => makeAdditions(context, settings, consent, documents);
    const additions = store.add(new WindowCustomizations(make, trust, log));
    store.add(additions.onDidChange(() => fallback.setWorkspace(additions.settings)));
    return additions;
  }

  private openHooks(): WindowHooks {
    const { log, additions, trust } = this;
    return new WindowHooks(() => this.makeHooks(), log, additions.onDidChange, trust.onDidChange);
  }

  /** Loads the code that runs hooks once the window is open, or with the agent. */
  private async makeHooks(): Promise<Hooks> {
    const clientExtensions = await this.clientExtensions();
    const { Hooks } = await import('../core/hooks/hooks.ts');
    const { hookFilesWith } = await import('./extensions.ts');
    const { NodeHookProcesses } = await import('../node/processes/hookProcess.ts');
    const places = { home: homedir(), folders: workspaceFolders };
    return new Hooks({
      files: hookFilesWith(() => this.additions.get(), places, this.documents),
      processes: clientExtensions.processes(
        new NodeHookProcesses(this.env, this.clock, this.sandbox, this.programs),
      ),
      added: () => clientExtensions.hooks,
      switchedOff: () => this.additions.present?.switchedOff ?? [],
      consent: this.consent,
      notify: sentence => void window.showWarningMessage(sentence),
    });
  }
}

function rememberKeyless(state: Memento): KeylessServer {
  return new KeylessServer({
    read: () => state.get<string>(keylessServer),
    write: address => void state.update(keylessServer, address),
  });
}

async function findDistrust(folders: readonly string[]): Promise<WindowUntrustedReason | undefined> {
  const places = { home: homedir(), env: process.env };
  if (!hasTrustSettings(places)) return undefined;
  return (await import('../node/settings/trustedFolders.ts')).findUntrustedReason(folders, places);
}

async function findSearch({
  programs,
  settings,
  log,
  disk,
}: Pick<WindowPorts, 'programs' | 'settings' | 'log' | 'disk'>) {
  const { NodeSearch } = await import('../node/search/nodeSearch.ts');
  const { ripgrepsOf } = await import('../node/search/findRipgrep.ts');
  const decode = disk.decode.bind(disk);
  return new NodeSearch(ripgrepsOf(env.appRoot), programs, {
    settings,
    folders: workspaceFolders,
    log,
    decode,
  });
}

/** Reads the additions once the window is open, or with the agent. */
async function makeAdditions(
  { secrets, workspaceState }: ExtensionContext,
  settings: Settings,
  consent: ConsentService,
  documents: SettingsDocuments,
): Promise<LoadedCustomizations> {
  const { LoadedCustomizations } = await import('../core/customizations/loadedCustomizations.ts');
  const { NodeCustomFiles } = await import('../node/customizations/customFiles.ts');
  const { NodeExtensionVariables } = await import('../node/customizations/extensionVariables.ts');
  const { VscodeStoredSecrets } = await import('../vscode/ports/vscodeStoredSecrets.ts');
  const { ServerSettings } = await import('../vscode/serverSettings.ts');
  const { readServerSettings } = await import('../vscode/ports/readServerSettings.ts');
  const { VscodeDisabledItems } = await import('../vscode/vscodeDisabledItems.ts');
  const { disabledItemStores } = await import('../vscode/ports/disabledItemStores.ts');
  const own = new NodeCustomFiles({ home: homedir(), folders: workspaceFolders }, documents);
  const switches = new VscodeDisabledItems(disabledItemStores(settings, workspaceState));
  return new LoadedCustomizations({
    files: new ServerSettings(own, readServerSettings),
    consent,
    disabled: () => switches.listDisabled(),
    switches,
    extensionValues: { variables: new NodeExtensionVariables(), secrets: new VscodeStoredSecrets(secrets) },
  });
}
