/* Rarely needed parts of a window, from extensions to background sessions. Loaded with the first of these. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ExtensionContext, env as host, Uri, workspace } from 'vscode';
import { t } from '../../protocol/language.ts';
import { CommandError } from '../core/commandError.ts';
import type { ExtensionAccess } from '../core/commands/commands.ts';
import type { ServerAccess } from '../core/commands/serverAccess.ts';
import { commandNames } from '../core/commands/table/commandTable.ts';
import type { WorktreeAccess } from '../core/commands/worktreeAccess.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import { HostClient } from '../headless/client/hostClient.ts';
import { WindowRunOrders } from '../headless/client/windowRunOrders.ts';
import { McpAppPages } from '../mcp/apps/mcpAppPages.ts';
import { createPageForward } from '../mcp/apps/pageAddress.ts';
import { toolNames } from '../mcp/tools/toolName.ts';
import { NodeExtensionFolders } from '../node/extensionFolders/nodeExtensionFolders.ts';
import { GitFiles } from '../node/git/gitFiles.ts';
import { lazyHttp } from '../node/http/lazyHttp.ts';
import { NodeSessionStore } from '../node/sessions/nodeSessionStore.ts';
import { sessionFolders } from '../node/sessions/sessionFolders.ts';
import { NodeOtherAgents, workspaceStorageOf } from '../otherAgents/nodeOtherAgents.ts';
import type { ActiveSession } from '../vscode/activeSession.ts';
import { WindowMcpApps } from '../vscode/features/customizations/windowMcpApps.ts';
import { BackgroundSessions } from '../vscode/features/sessions/backgroundSessions.ts';
import { SessionImportDialogs } from '../vscode/features/sessions/sessionImportDialogs.ts';
import { SessionStatistics } from '../vscode/features/sessions/sessionStatistics.ts';
import { type ComparisonHost, ComparisonRunner } from '../vscode/features/slashCommands/comparisonRunner.ts';
import type { PromptCommands } from '../vscode/features/slashCommands/promptCommands.ts';
import { windowWorktrees } from '../vscode/features/slashCommands/windowWorktrees.ts';
import type { ModelConnection } from '../vscode/modelConnection.ts';
import type { PanelView } from '../vscode/panel/panelView.ts';
import { VscodeStoredSecrets } from '../vscode/ports/vscodeStoredSecrets.ts';
import type { VirtualFiles } from '../vscode/review/virtualFiles.ts';
import type { SessionLibrary } from '../vscode/sessionLibrary.ts';
import { workspaceFolders } from '../vscode/workspaceFolders.ts';
import type { WindowPorts } from './ports.ts';
import { serverAccess } from './serverAccess.ts';

export class WindowServices {
  private readonly context: ExtensionContext;
  private readonly ports: WindowPorts;
  private readonly extensionFolders: NodeExtensionFolders;
  private windowApps: WindowMcpApps | undefined;

  constructor(context: ExtensionContext, ports: WindowPorts) {
    this.context = context;
    this.ports = ports;
    this.extensionFolders = new NodeExtensionFolders(homedir(), ports.processes, ports.programs);
  }

  async extensions(): Promise<ExtensionAccess> {
    const additions = await this.ports.additions.get();
    return {
      folders: this.extensionFolders,
      additions,
      nameCommands: commandNames,
      nameTools: toolNames,
      home: homedir(),
    };
  }

  async manageExtensions(slashCommands: PromptCommands): Promise<void> {
    const { manageExtensions } = await import('../vscode/features/slashCommands/manageExtensions.ts');
    await manageExtensions(slashCommands, await this.extensions());
  }

  async addServer(slashCommands: PromptCommands, panel: Pick<PanelView, 'keepFocus'>): Promise<void> {
    const { addServerBySteps } = await import('../vscode/features/slashCommands/addServer.ts');
    const { all } = await this.ports.additions.get();
    const taken = all.list.flatMap(({ item }) => (item.kind === 'server' ? [item.name] : []));
    await addServerBySteps(slashCommands, taken, panel);
  }

  async removeServer(slashCommands: PromptCommands, name: string): Promise<void> {
    const { confirmAndRemoveServer } = await import('../vscode/features/slashCommands/addServer.ts');
    await confirmAndRemoveServer(slashCommands, name);
  }

  async servers(): Promise<ServerAccess> {
    const { extension, secrets } = this.context;
    const { disk, additions, servers, env, sandbox, clock, log, settings } = this.ports;
    const { all } = await additions.get();
    return serverAccess({
      files: disk,
      all,
      env,
      sandbox,
      clock,
      log,
      restrictions: settings.restrictions,
      home: homedir(),
      folders: workspaceFolders,
      servers: () => servers.present,
      version: String(extension.packageJSON.version),
      secrets: new VscodeStoredSecrets(secrets),
      shorten: path => workspace.asRelativePath(path),
    });
  }

  async comparisons(shown: Omit<ComparisonHost, 'worktrees' | 'memory' | 'log'>): Promise<ComparisonRunner> {
    const { worktrees, log } = this.ports;
    return new ComparisonRunner({
      ...shown,
      worktrees: await worktrees(),
      memory: this.context.workspaceState,
      log,
    });
  }

  /** Sums up the sessions of this workspace, of others, and of headless runs. */
  statistics(): SessionStatistics {
    const { storageUri, globalStorageUri } = this.context;
    const own = (storageUri ?? globalStorageUri).fsPath;
    const stores = async () => {
      const folders = await sessionFolders(own, globalStorageUri.fsPath, homedir());
      return folders.map(folder => new NodeSessionStore(folder));
    };
    return new SessionStatistics(stores, this.ports.clock, this.ports.log);
  }

  /** Pages of MCP servers in the panel. */
  apps(panel: PanelView): WindowMcpApps {
    if (this.windowApps) return this.windowApps;
    const { servers, disk, clock } = this.ports;
    const forward = async (address: string) =>
      (await host.asExternalUri(Uri.parse(address, true))).toString(true);
    const addressFor = createPageForward(forward, `${host.uriScheme}://${this.context.extension.id}/page`);
    const apps = new McpAppPages(() => servers.present, disk, clock, addressFor);
    this.context.subscriptions.push(apps);
    this.windowApps = new WindowMcpApps(apps, panel);
    return this.windowApps;
  }

  /** Opens sessions from elsewhere. */
  imports(
    session: ActiveSession,
    panel: PanelView,
    agent: () => Promise<SessionManager>,
  ): SessionImportDialogs {
    const { env, clock, trust } = this.ports;
    const { storageUri } = this.context;
    const home = homedir();
    // A remote window, or a portable VS Code, has its own storage.
    const own = storageUri ? [dirname(dirname(storageUri.fsPath))] : [];
    const workspaceStorage = [...new Set([...own, ...workspaceStorageOf({ home, env }, process.platform)])];
    const otherAgents = new NodeOtherAgents({ home, env, workspaceStorage });
    const now = () => clock.now();
    return new SessionImportDialogs({ session, panel, agent, http: lazyHttp(), otherAgents, now, trust });
  }

  /** Runs sessions in the background host, and marks them in the library. */
  background(
    session: ActiveSession,
    library: SessionLibrary,
    panel: PanelView,
    connection: ModelConnection,
  ): BackgroundSessions {
    const { storageUri, globalStorageUri, extensionPath } = this.context;
    const { settings, apiKeys, keyless, env, trust, log } = this.ports;
    const sessionDir = join((storageUri ?? globalStorageUri).fsPath, 'sessions');
    const packaged = join(extensionPath, 'dist', 'chunks', 'background.js');
    // Exists only in builds for the package.
    const entry = existsSync(packaged) ? packaged : join(extensionPath, 'dist', 'headless.cjs');
    const host = new HostClient(homedir(), entry);
    const facts = { settings, apiKeys, keyless, env, trust, connection, sessionDir };
    const orders = new WindowRunOrders(facts, host.folder);
    const background = new BackgroundSessions(host, orders, session, panel, log);
    library.follow(background);
    session.opened.takeBack = sessionId => background.take(sessionId);
    void background.follow();
    return background;
  }

  /** @param virtualFiles hold the sides of a merge editor */
  async worktrees(session: ActiveSession, virtualFiles: VirtualFiles): Promise<WorktreeAccess> {
    const { worktrees, settings, files, programs, trust, consent } = this.ports;
    // Git runs programs that the repository configures.
    if (!trust.isTrusted)
      throw new CommandError(
        t('The workspace is restricted, so no worktree is made of it, and no container started.'),
      );
    const versionControl = new GitFiles(programs);
    const containers = await this.ports.containers();
    const host = {
      worktrees: await worktrees(),
      settings,
      files,
      programs,
      versionControl,
      containers,
      consent,
    };
    return windowWorktrees(host, session, virtualFiles);
  }
}
