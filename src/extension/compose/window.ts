/* A Folio window: creates its parts in order and registers them with VS Code. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ExtensionContext, lm, Uri, window, workspace } from 'vscode';
import type { Attachment } from '../../protocol/intentions.ts';
import type { DisposableStore } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import type { CommandContext, CommandResources } from '../core/commands/commands.ts';
import type { CommandTable } from '../core/commands/table/commandTable.ts';
import { hostFolderIn, hostRecordName } from '../headless/client/hostPlace.ts';
import type { ActiveSession } from '../vscode/activeSession.ts';
import { registerChat } from '../vscode/chat/registerChat.ts';
import { registerComments } from '../vscode/comments/registerComments.ts';
import { WindowEnvironment } from '../vscode/environment.ts';
import { ApprovalModeChanger } from '../vscode/features/approvalModeChanger.ts';
import { registerPageCommands } from '../vscode/features/browser/pageCommands.ts';
import { registerCommands } from '../vscode/features/commands.ts';
import { registerCustomizations } from '../vscode/features/customizations/additionCommands.ts';
import { registerHookCommands } from '../vscode/features/customizations/hooks.ts';
import { registerCompression } from '../vscode/features/documents/compression.ts';
import { registerMemoryCommands } from '../vscode/features/documents/memoryCommands.ts';
import { OutputOpener } from '../vscode/features/documents/outputOpener.ts';
import { registerPlanDocument } from '../vscode/features/documents/planDocument.ts';
import { ReadOnlyTexts } from '../vscode/features/documents/readOnlyTexts.ts';
import { registerShowRequest } from '../vscode/features/documents/showRequest.ts';
import { PromptSender } from '../vscode/features/entryPoints/promptSender.ts';
import { registerEntryPoints } from '../vscode/features/entryPoints/registerEntryPoints.ts';
import { followMilestones } from '../vscode/features/milestones.ts';
import { registerKeyCommands } from '../vscode/features/models/key.ts';
import { registerModelCommands } from '../vscode/features/models/modelCommands.ts';
import { prepareConnection, registerRehearsalCommand } from '../vscode/features/models/rehearsalStart.ts';
import { PermissionsController } from '../vscode/features/permissionsController.ts';
import { reportFailure, reportMissingFeatures } from '../vscode/features/report.ts';
import { registerExportCommands } from '../vscode/features/sessions/exportCommands.ts';
import { registerGitDraftCommands } from '../vscode/features/sessions/gitDraftCommands.ts';
import { registerPanelTabs } from '../vscode/features/sessions/panelTabs.ts';
import { registerSessionCommands } from '../vscode/features/sessions/sessionCommands.ts';
import { registerSessionNotices } from '../vscode/features/sessions/sessionNotices.ts';
import { PromptCommands, windowCommandTable } from '../vscode/features/slashCommands/promptCommands.ts';
import { registerWorktreeCommands } from '../vscode/features/slashCommands/worktreeCommands.ts';
import { registerStatusBar } from '../vscode/features/statusBar.ts';
import { registerTerminalMirror } from '../vscode/features/terminalMirror.ts';
import type { ModelConnection } from '../vscode/modelConnection.ts';
import { comparisonHandlers, statisticsAndAppHandlers } from '../vscode/panel/handlers/comparisonHandlers.ts';
import { type CompleteMention, completionHandlers } from '../vscode/panel/handlers/completionHandlers.ts';
import { customizationHandlers, followServers } from '../vscode/panel/handlers/customizationHandlers.ts';
import {
  callHandlers,
  chapterHandlers,
  connectHandlers,
  contextHandlers,
  controlHandlers,
  draftHandlers,
  followEnvironment,
  handlePanelMessages,
  modelHandlers,
  pageHandlers,
  turnHandlers,
  windowHandlers,
} from '../vscode/panel/handlers/handlePanelMessages.ts';
import { inboxHandlers } from '../vscode/panel/handlers/inboxHandlers.ts';
import type { PanelHandlers } from '../vscode/panel/handlers/panelHandlers.ts';
import { reviewHandlers, rewindHandlers } from '../vscode/panel/handlers/reviewHandlers.ts';
import { followSessionList, sessionListHandlers } from '../vscode/panel/handlers/sessionHandlers.ts';
import { PanelView } from '../vscode/panel/panelView.ts';
import { registerChangesCommands } from '../vscode/review/changesCommands.ts';
import { ProposalDiff } from '../vscode/review/proposalDiff.ts';
import { proposalScheme } from '../vscode/review/proposalUris.ts';
import { type ReviewInEditors, registerReview } from '../vscode/review/registerReview.ts';
import { VirtualFiles } from '../vscode/review/virtualFiles.ts';
import type { SessionLibrary } from '../vscode/sessionLibrary.ts';
import { composeConnection } from './connection.ts';
import { FeatureRegistrar } from './featureRegistrar.ts';
import { resolveModelName } from './modelAccess.ts';
import { exposeMcpServers, exposeTools } from './otherExtensions.ts';
import type { WindowPorts } from './ports.ts';
import { serverPrompts } from './serverTools.ts';
import { composeDrafts, composeLibrary, composeSession } from './sessions.ts';

/** Parts that are needed only on demand are imported on demand. */
export class FolioWindow {
  private readonly context: ExtensionContext;
  private readonly ports: WindowPorts;
  private readonly store: DisposableStore;
  private readonly features: FeatureRegistrar;
  private readonly connection: ModelConnection;
  private readonly panel: PanelView;
  private readonly virtualFiles = new VirtualFiles();
  private readonly diff: ProposalDiff;
  private readonly review: ReviewInEditors;
  private readonly library: SessionLibrary;
  private readonly modes: ApprovalModeChanger;
  private readonly texts: ReadOnlyTexts;
  private readonly promptCommands: PromptCommands;
  private readonly door: PromptSender;
  readonly session: ActiveSession;

  private readonly agent = once(async () => {
    const { loadWindowSessionManager } = await import('./agent.ts');
    return loadWindowSessionManager(this.context, this.ports, this.connection);
  });
  private readonly connecting = once(() => this.makeConnecting());
  private readonly mentions = once(() => this.makeMentionCompletion());
  private readonly complete: CompleteMention = async (query, signal) =>
    (await this.mentions()).complete(query, signal);
  private readonly access = once(async () => {
    const { WindowServices } = await import('./windowServices.ts');
    return new WindowServices(this.context, this.ports);
  });
  private readonly background = once(async () => {
    const { session, library, panel, connection } = this;
    return (await this.access()).background(session, library, panel, connection);
  });
  private readonly drafts = once(() =>
    composeDrafts(this.context, this.ports, this.library).then(drafts => this.store.add(drafts)),
  );
  private readonly comparisons = once(async () => {
    const { session, panel, promptCommands, connection } = this;
    return (await this.access()).comparisons({ session, panel, connection, commands: promptCommands });
  });
  private readonly transcripts = once(() => this.makeTranscripts());
  /** Finds the ways to reach a model. */
  readonly prepare = once(() => prepareConnection(this.connection, this.ports.env));

  constructor(context: ExtensionContext, ports: WindowPorts, store: DisposableStore) {
    const { log, settings, trust } = ports;
    this.context = context;
    this.ports = ports;
    this.store = store;
    this.features = new FeatureRegistrar(store, log);
    this.connection = composeConnection(ports);
    this.session = composeSession(context, ports, this.connection, this.agent);
    this.panel = store.add(new PanelView(this.folder(), this.session, log));
    this.panel.loadHosted = async () => {
      if (existsSync(join(hostFolderIn(homedir()), hostRecordName))) await this.background();
    };
    this.diff = store.add(new ProposalDiff(this.session, this.virtualFiles, log));
    this.review = store.add(this.makeReview());
    this.library = store.add(composeLibrary(context, ports, this.session, this.agent));
    this.modes = store.add(new ApprovalModeChanger(this.session, settings, trust, this.panel, log));
    this.texts = store.add(new ReadOnlyTexts());
    this.promptCommands = this.makePromptCommands();
    this.door = this.makeDoor();
  }

  /** Registers everything with VS Code. The panel is required; any other feature may fail on its own. */
  open(): void {
    const { store, features } = this;
    store.add(
      workspace.registerFileSystemProvider(proposalScheme, this.virtualFiles, { isCaseSensitive: true }),
    );
    this.openPanel();
    this.registerSessions();
    this.registerModels();
    this.registerAdded();
    this.registerDocuments();
    this.registerWork();
    if (features.refused.length > 0) reportMissingFeatures();
  }

  /** Ends everything and flushes to the file system. */
  async close(): Promise<void> {
    await this.session.close();
    await Promise.all([this.ports.close(), this.connection.close()]);
    this.store.dispose();
  }

  private makeReview(): ReviewInEditors {
    const { session, panel, virtualFiles } = this;
    const { disk, log } = this.ports;
    return registerReview({
      session,
      panel,
      virtualFiles,
      disk,
      makeStaging: async changes => (await import('./agent.ts')).loadStaging(changes),
      memory: this.context.workspaceState,
      log,
    });
  }

  private makePromptCommands(): PromptCommands {
    const { additions, trust, servers } = this.ports;
    const prompts = serverPrompts(() => servers.present);
    const table = windowCommandTable(additions, trust, prompts);
    return new PromptCommands(this.panel, this.connection, table, (commands, takeAttachments) =>
      this.makeSurface(commands, takeAttachments),
    );
  }

  private makeDoor(): PromptSender {
    const { panel, session, promptCommands, connection, ports } = this;
    return new PromptSender(panel, session, promptCommands, connection, ports.trust, () => this.tryPrepare());
  }

  /** Dependencies of slash commands. Loaded with the first one. */
  private async makeSurface(
    table: CommandTable,
    takeAttachments: () => readonly Attachment[],
  ): Promise<CommandContext> {
    const surface = await import('../vscode/features/slashCommands/commandContext.ts');
    const { session, library, panel, connection, texts } = this;
    const { disk, additions, trust, settings } = this.ports;
    const reported = { session, connection, trust, settings, extension: this.context.extension };
    const user = surface.windowCommandDialogs(texts);
    return {
      files: disk,
      place: () => this.ports.memorySources(),
      user,
      session: surface.windowCommandSession(session, library, this.modes, user, takeAttachments),
      models: surface.windowModels(connection, this.ports.settings, name => this.resolveModel(name)),
      views: surface.windowCommandViews(table, panel, session, additions, reported),
      installed: this.installedThings(takeAttachments),
    };
  }

  private installedThings(takeAttachments: () => readonly Attachment[]): CommandResources {
    const { session } = this;
    return {
      servers: async () => (await this.access()).servers(),
      extensions: async () => (await this.access()).extensions(),
      worktrees: async () => (await this.access()).worktrees(session, this.virtualFiles),
      comparisons: async () => (await this.comparisons()).access(takeAttachments),
      hooks: () => this.ports.hooks.get(),
      inbox: this.ports.inbox,
    };
  }

  private openPanel(): void {
    const { store, panel, ports } = this;
    const { log } = ports;
    const environment = store.add(
      new WindowEnvironment(this.connection, ports.editor, ports, ports.settings),
    );
    store.add(handlePanelMessages(panel, this.panelHandlers(environment), log));
    store.add(followSessionList(this.library, panel, log));
    store.add(followEnvironment(panel, environment));
    store.add(followServers(panel, this.ports.servers));
    store.add(window.registerWebviewViewProvider(PanelView.viewId, panel));
  }

  private panelHandlers(environment: WindowEnvironment): PanelHandlers {
    const { session, panel, promptCommands } = this;
    const { consent, additions, servers, disk, trust, editor, settings, pages, log } = this.ports;
    const permissions = this.store.add(new PermissionsController(session, panel, log));
    return {
      ...pageHandlers(panel, session, environment, pages, () => this.tryPrepare(), this.drafts),
      ...draftHandlers(this.drafts, this.door),
      ...turnHandlers(session, this.door),
      ...modelHandlers(session, settings),
      ...callHandlers(session, this.diff, this.modes),
      ...sessionListHandlers(session, this.library, panel),
      ...reviewHandlers(session, this.review),
      ...rewindHandlers(session, panel, this.review),
      ...chapterHandlers(session),
      ...controlHandlers(session, permissions),
      ...contextHandlers(session),
      ...completionHandlers(this.complete, promptCommands, log),
      ...customizationHandlers(session, consent, additions, servers),
      ...inboxHandlers(panel, this.ports.inbox, log),
      ...comparisonHandlers(this.comparisons),
      ...statisticsAndAppHandlers(this.access, panel, promptCommands),
      ...connectHandlers(async () => (await this.connecting()).flow),
      ...windowHandlers(this.store.add(new OutputOpener(session, disk)), permissions, trust, editor),
    };
  }

  private registerSessions(): void {
    const { features, session, library, panel, agent, prepare, context } = this;
    const { log } = this.ports;
    features.add('sessionCommands', () => registerSessionCommands(session, library, panel, log));
    features.add('panelTabs', () => registerPanelTabs(panel, session, context.workspaceState, log));
    features.add('sessionNotices', () => registerSessionNotices(session.opened, panel, log));
    features.add('export', () => registerExportCommands(session, library, log));
    features.add('drafts', () => registerGitDraftCommands({ session, agent, prepare }, log));
    features.add('statusBar', () => registerStatusBar(session));
    features.add('milestones', () => followMilestones(session, this.connection));
  }

  private registerModels(): void {
    const { features, session, panel, connection } = this;
    const { log, settings } = this.ports;
    // Another provider has another key.
    features.add('settingsListener', () => settings.onDidChange(() => void connection.refresh()));
    features.add('chatModelListener', () =>
      lm.onDidChangeChatModels(() => {
        if (connection.name === 'vscode') void connection.relist(AbortSignal.timeout(30_000));
      }),
    );
    features.add('keys', () => registerKeyCommands(async () => (await this.connecting()).keys, log));
    features.add('connect', () => registerCommands(log, { 'folio.connect': () => panel.show('connect') }));
    features.add('modelPicker', () => registerModelCommands(session, connection, settings, panel, log));
    features.add('rehearsal', () => registerRehearsalCommand(connection, panel, log));
  }

  /** Registers what others add to Folio (hooks, servers, extensions) and what Folio offers to them. */
  private registerAdded(): void {
    const { features, ports } = this;
    const slash = () => this.promptCommands;
    const { hooks, additions, log } = ports;
    features.add('hooks', () => registerHookCommands(hooks, log));
    features.add('customizations', () => registerCustomizations(additions, line => slash().run(line), log));
    features.add('toolsForVSCode', () => exposeTools(ports));
    features.add('serversForVSCode', () => exposeMcpServers(ports));
    features.add('loadedWhenAsked', () =>
      registerCommands(log, {
        'folio.manageExtensions': async () => (await this.access()).manageExtensions(this.promptCommands),
        'folio.showServers': () => this.panel.show('mcp'),
        'folio.showInbox': () => this.panel.show('inbox'),
        'folio.addServer': async () => (await this.access()).addServer(slash(), this.panel),
        'folio.runInBackground': async () => (await this.background()).runShown(),
        'folio.compareModels': async () => (await this.comparisons()).choose(),
        'folio.showComparison': async () => (await this.comparisons()).showNewest(),
        'folio.openSessionFrom': async () => (await this.imports()).openFromPlace(),
        'folio.openAgentSession': async () => (await this.imports()).openOfAgent(),
        'folio.openTranscript': async () => (await this.transcripts()).show(),
        'folio.reportBug': async () => void (await this.promptCommands.carryOut('/bug', [])),
      }),
    );
  }

  private registerDocuments(): void {
    const { features, session, panel } = this;
    const { log } = this.ports;
    features.add('compression', () => registerCompression(session, panel, log));
    features.add('showRequest', () => registerShowRequest(session, log));
    features.add('planDocument', () => registerPlanDocument(session, panel, log));
    const [read, init] = [() => this.readMemory(), () => this.init()];
    features.add('memory', () => registerMemoryCommands(session, read, init, log));
    features.add('pages', () => registerPageCommands(session, this.ports, this.folder()));
    features.add('worktrees', () =>
      registerWorktreeCommands(session, this.panel, this.promptCommands, this.ports),
    );
  }

  private registerWork(): void {
    const { features, session, review } = this;
    const { processes, workbench, log } = this.ports;
    features.add('comments', () => registerComments(session, review, this.folder('media', 'icon.svg'), log));
    features.add('entryPoints', () => registerEntryPoints(this.door, workbench, log));
    features.add('chatParticipant', () => registerChat(this.door, session, this.panel, log));
    features.add('openChanges', () => registerChangesCommands(session, this.virtualFiles, review.bases, log));
    features.add('terminalMirror', () => registerTerminalMirror(processes, log));
  }

  private async imports() {
    return (await this.access()).imports(this.session, this.panel, this.agent);
  }

  private async tryPrepare(): Promise<void> {
    void this.panel.loadHosted?.();
    try {
      await this.prepare();
    } catch (error) {
      reportFailure(this.ports.log, 'The rehearsal could not be started', error);
    }
  }

  /** Lets the agent write the project's memory file. */
  private async init(): Promise<void> {
    await this.panel.focus();
    await this.promptCommands.carryOut('/init', []);
  }

  private async makeConnecting() {
    const { ConnectionServices } = await import('./connecting.ts');
    return this.store.add(new ConnectionServices(this.ports, this.connection, this.session, this.panel));
  }

  /** Lists the workspace's files when the first `@` is typed. */
  private async makeMentionCompletion() {
    const { files, search, editor, workbench, servers, log } = this.ports;
    const { MentionCompletion } = await import('../vscode/features/mentionSources.ts');
    return this.store.add(
      new MentionCompletion(files, await search(), editor, workbench, () => servers.present, log),
    );
  }

  private async makeTranscripts() {
    const { Transcripts } = await import('../vscode/features/documents/transcripts.ts');
    return this.store.add(new Transcripts(this.session, this.library));
  }

  private async readMemory() {
    const { readMemory } = await import('../core/context/memory.ts');
    // Extensions bring memory, too.
    await this.ports.additions.refresh();
    return readMemory(this.ports.files, this.ports.memorySources());
  }

  private resolveModel(name: string): string {
    return resolveModelName(name, this.connection, this.ports.settings);
  }

  private folder(...names: readonly string[]): Uri {
    return Uri.joinPath(this.context.extensionUri, ...names);
  }
}
