/* The agent of a headless run, on Node ports. */

import { join } from 'node:path';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import { type IsolatedPlace, isContainer } from '../../protocol/worktree.ts';
import type { AgentHost, HostCustomizations, HostSandbox, HostWorkspace } from '../compose/agentHost.ts';
import { hookFilesWith, policyFilesWith } from '../compose/extensions.ts';
import { whyModelRefused } from '../compose/hostModels.ts';
import { makeSessionManager } from '../compose/makeSessionManager.ts';
import { memorySources } from '../compose/memorySources.ts';
import { contextLimitOf, type ModelAccess, resolveModelName } from '../compose/modelAccess.ts';
import { withContainerProcesses } from '../compose/workspaceSources.ts';
import { CommandError } from '../core/commandError.ts';
import type { ExtensionAccess } from '../core/commands/commands.ts';
import type { ServerAccess } from '../core/commands/serverAccess.ts';
import { type WorktreeAccess, worktreeAccess } from '../core/commands/worktreeAccess.ts';
import { Inbox } from '../core/context/inbox/inbox.ts';
import type { MemorySources } from '../core/context/memoryPlace.ts';
import { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';
import { Hooks } from '../core/hooks/hooks.ts';
import type { ModelInfo } from '../core/model.ts';
import { initialMode } from '../core/policy/initialMode.ts';
import type { Policy } from '../core/policy/policy.ts';
import type { Session } from '../core/session/session.ts';
import type { SessionManager } from '../core/session/sessionManager.ts';
import type { WorktreeSettings } from '../core/worktrees/makeWorktree.ts';
import { foldersInWorktree } from '../core/worktrees/worktreeFolders.ts';
import { PriceCalculator } from '../models/prices.ts';
import { providers } from '../models/providers.ts';
import { syntaxCheck } from '../node/checks/syntaxCheck.ts';
import { NodeCustomFiles } from '../node/customizations/customFiles.ts';
import { NodeExtensionVariables } from '../node/customizations/extensionVariables.ts';
import { syncStatCalls } from '../node/files/statCalls.ts';
import { GitFiles } from '../node/git/gitFiles.ts';
import { GitWorktrees } from '../node/git/gitWorktrees.ts';
import { NodeTransport } from '../node/http/nodeTransport.ts';
import { MemorySecrets } from '../node/memorySecrets.ts';
import { NodeHookProcesses } from '../node/processes/hookProcess.ts';
import { NodeSearch } from '../node/search/nodeSearch.ts';
import type { DecodeFile } from '../node/search/otherEncodings.ts';
import { SharedTextFile } from '../node/sessions/sharedTextFile.ts';
import type { ProgramSandbox } from '../platform/sandbox.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';
import type { Workbench } from '../platform/workbench.ts';
import type { Worktrees } from '../platform/worktrees.ts';
import type { HeadlessArguments } from './arguments.ts';
import { ChecksWithLanguageServers } from './checks/checksWithLanguageServers.ts';
import { CommandCheck } from './checks/commandCheck.ts';
import { fileChecks } from './checks/fileChecks.ts';
import { noEditor, noWorkbench } from './editorStandIns.ts';
import { HeadlessDisabledItems } from './headlessDisabledItems.ts';
import { HeadlessLanguages } from './headlessLanguages.ts';
import { HeadlessMcpServers } from './headlessMcpServers.ts';
import { reportPendingHooks, reportUnusableCustomizations } from './reportUnusableCustomizations.ts';
import { openModelAccess, readModels } from './runModels.ts';
import {
  addFolders,
  type HeadlessPorts,
  makeHeadlessPorts,
  makeHeadlessStorage,
  openSandbox,
  type RunOptions,
  rereadableSettingsPath,
  sessionsFolder,
} from './runPlace.ts';

/** Throws `UsageError` and `SettingsError`. `dispose` ends everything that it starts. */
export async function openHeadlessAgent(args: HeadlessArguments, host: RunOptions): Promise<HeadlessAgent> {
  const place = await makeHeadlessPorts(args, host);
  const additions = await readAdditions(args, host, place);
  const access = await openModelAccess(args, place, place.settings, host.notify);
  return new HeadlessAgent(args, host, place, additions, access);
}

/** The agent of a run, and the dependencies of the run's commands. */
export class HeadlessAgent {
  private readonly args: HeadlessArguments;
  private readonly host: RunOptions;
  readonly place: HeadlessPorts;
  private readonly access: ModelAccess;
  readonly additions: LoadedCustomizations;
  readonly hooks: Hooks;
  readonly servers: HeadlessMcpServers;
  private readonly sandbox: HostSandbox;
  /** Resources of sessions in worktrees. */
  private readonly moved: { dispose(): Promise<void> }[] = [];
  private readonly search: NodeSearch;
  private readonly languages: HeadlessLanguages;
  private readonly prices: PriceCalculator;
  readonly inbox: Inbox;
  readonly agent: SessionManager;

  constructor(
    args: HeadlessArguments,
    host: RunOptions,
    place: HeadlessPorts,
    additions: LoadedCustomizations,
    access: ModelAccess,
  ) {
    [this.args, this.host] = [args, host];
    this.place = place;
    this.access = access;
    this.additions = additions;
    this.search = openSearch(place, host.notify);
    this.sandbox = openSandbox(args, place);
    this.prices = new PriceCalculator(() => place.settings.get('prices'), place.clock);
    this.hooks = makeHooks(args, place, additions, this.sandbox, host.notify);
    this.servers = new HeadlessMcpServers(place, additions, this.sandbox, host, args);
    this.inbox = new Inbox({
      file: new SharedTextFile(sessionsFolder(args, place.machine.home), 'inbox', () => place.folders[0]),
      files: place.files,
      place: () => this.memorySources(),
    });
    const { sandbox, search } = this;
    this.languages = new HeadlessLanguages(place, sandbox, search, args.languageStartMs, host.notify);
    this.agent = makeSessionManager(this.agentHost());
  }

  /** Without a user who could choose, nothing is saved. */
  get worktreeSettings(): WorktreeSettings {
    const { settings } = this.place;
    return { get: name => settings.get(name), isSet: name => settings.isSet(name), save: async () => {} };
  }

  /** Absolute path. */
  get home(): string {
    return this.place.machine.home;
  }

  /** Absolute path. */
  get workspace(): string {
    return this.args.workspace;
  }

  get trusted(): boolean {
    return this.place.trusted();
  }

  /** The mode of a new session. */
  get mode(): ApprovalMode {
    return initialMode(this.place.settings, this.host.interactive);
  }

  /** The configured maximum of parallel sessions. 0 if not set. */
  get maxParallel(): number {
    return this.place.settings.get('parallel.max');
  }

  get managed(): Pick<Settings, 'managedNames' | 'restrictions'> {
    return this.place.settings;
  }

  get provider(): ProviderName {
    return this.access.name;
  }

  /** The provider has models for automatic selection. */
  get hasAuto(): boolean {
    return providers[this.access.name].ownModels !== undefined;
  }

  get knownModels(): readonly ModelInfo[] {
    const { name, models } = this.access;
    const known = [...providers[name].knownModels, ...models];
    return this.prices.withPrices(name, this.managed.restrictions?.pickModels(name, known) ?? known);
  }

  /** The provider's models. Empty if unavailable. */
  async listModels(): Promise<readonly ModelInfo[]> {
    const { name, provider } = this.access;
    return this.prices.withPrices(name, await readModels(provider));
  }

  resolveModel(name: string): string {
    return resolveModelName(name, this.access, this.place.settings);
  }

  refuseModel(model: string): string | undefined {
    return whyModelRefused(model, this.access, this.place.settings);
  }

  contextLimit(model: string): number {
    return contextLimitOf(model, this.access, this.place.settings);
  }

  memorySources(): MemorySources {
    const { machine, settings } = this.place;
    return memorySources(machine.home, this.place, settings, this.additions);
  }

  /** Adds folders for the rest of the run. Resolves to a message if the user does not trust one of them. */
  addFolders(added: readonly string[]): Promise<string | undefined> {
    return addFolders(added, this.args, this.place);
  }

  get worktrees(): Worktrees {
    const { machine, programs } = this.place;
    return new GitWorktrees(join(machine.home, '.folio', 'worktrees'), programs);
  }

  /** For commands about worktrees. */
  worktreeAccess(session: Session): WorktreeAccess {
    const { worktrees, worktreeSettings: settings, place, host } = this;
    const { relocation } = host;
    const versionControl = new GitFiles(place.programs);
    return worktreeAccess(
      { ...place, worktrees, settings, versionControl, folder: place.folders[0] },
      {
        moveChanges: (text, wanted) => session.moveChanges(text, wanted),
        branch: { commits: () => session.planChapterCommits(), note: () => session.noteSettled(0, 0) },
        isUsed: path => relocation?.isUsed(path) ?? false,
        move: async to => {
          if (!relocation) throw new CommandError('A session cannot move here. Run with --worktree NAME.');
          if (session.state.title !== '') session.moveTo(to);
          relocation.moved(to);
        },
        setUp: command => relocation?.setUp(command),
      },
    );
  }

  /** For commands that install or remove extensions. */
  async extensions(): Promise<ExtensionAccess> {
    const { NodeExtensionFolders } = await import('../node/extensionFolders/nodeExtensionFolders.ts');
    const { commandNames } = await import('../core/commands/table/commandTable.ts');
    const { machine, processes, programs } = this.place;
    const { home } = machine;
    const folders = new NodeExtensionFolders(home, processes, programs);
    const { toolNames } = await import('../mcp/tools/toolName.ts');
    return { folders, additions: this.additions, nameCommands: commandNames, nameTools: toolNames, home };
  }

  /** For commands that change the configured servers. */
  async serverAccess(): Promise<ServerAccess> {
    const { serverAccess } = await import('../compose/serverAccess.ts');
    const { files, machine, clock, log, folders } = this.place;
    return serverAccess({
      files,
      env: machine.env,
      home: machine.home,
      clock,
      log,
      sandbox: this.sandbox,
      folders: () => folders,
      all: this.additions.all,
      servers: () => this.servers.present,
      restrictions: this.managed.restrictions,
      version: 'headless',
      shorten: path => path,
    });
  }

  /** Resolves when no process of the run is left. */
  async dispose(): Promise<void> {
    await this.place.containers.dispose();
    await Promise.all([
      this.place.processes.dispose(),
      this.hooks.processes.dispose(),
      this.servers.stop(),
      this.languages.stop(),
      this.place.observers.close(),
    ]);
    await Promise.all([this.sandbox, ...this.moved].map(each => each.dispose()));
  }

  private agentHost(): AgentHost {
    const { machine, processes, settings, clock, log } = this.place;
    const { interactive, notify, throughProcesses } = this.host;
    const host: AgentHost = {
      machine,
      user: { interactive, notify },
      workspace: runWorkspace(this.place, this.search, this.languages, notify),
      editor: noEditor,
      workbench: workbenchOf(this.languages),
      processes: throughProcesses?.(processes) ?? processes,
      sandbox: this.sandbox,
      storage: { ...makeHeadlessStorage(sessionsFolder(this.args, machine.home)), inbox: this.inbox },
      settings,
      access: this.access,
      transport: new NodeTransport(),
      worktrees: this.worktrees,
      added: this.added(),
      clock,
      log,
      observers: this.place.observers,
      moveTo: place => this.moveHost(host, place),
    };
    return host;
  }

  private moveHost(host: AgentHost, to: IsolatedPlace): AgentHost {
    if (isContainer(to)) return withContainerProcesses(to, host, this.place.containers);
    const { args, search } = this;
    const { notify } = this.host;
    const place = { ...this.place, folders: [...foldersInWorktree(to, this.place.folders)] };
    const sandbox = openSandbox(args, place);
    const languages = new HeadlessLanguages(place, sandbox, search, args.languageStartMs, notify);
    this.moved.push(sandbox, { dispose: () => languages.stop() });
    const workspace = runWorkspace(place, search, languages, notify);
    return { ...host, workspace, workbench: workbenchOf(languages), sandbox };
  }

  private added(): HostCustomizations {
    const { machine, folders, documents, consent } = this.place;
    const { policyFiles, settingsFile } = this.args;
    const places = { home: machine.home, folders: () => folders, files: policyFiles, settingsFile };
    return {
      consent,
      additions: this.additions,
      hooks: this.hooks,
      policyFiles: policyFilesWith(this.additions, places, documents),
      servers: () => this.servers.present,
      tools: [() => this.servers.tools()],
    };
  }
}

async function readAdditions(
  args: HeadlessArguments,
  { withCustomFiles, notify }: RunOptions,
  { machine, folders, documents, consent, settings }: HeadlessPorts,
): Promise<LoadedCustomizations> {
  const settingsFile = rereadableSettingsPath(args);
  const places = { home: machine.home, folders: () => folders, settingsFile, scans: syncStatCalls };
  const files = new NodeCustomFiles(places, documents);
  const switches = new HeadlessDisabledItems(notify);
  const additions = new LoadedCustomizations({
    files: withCustomFiles?.(files) ?? files,
    consent,
    disabled: () => [...settings.get('disabled'), ...switches.listDisabled()],
    switches,
    extensionValues: { variables: new NodeExtensionVariables(), secrets: new MemorySecrets() },
  });
  additions.all.onDidChange(() => settings.setWorkspace(additions.settings));
  await additions.refresh();
  reportUnusableCustomizations(additions, notify);
  return additions;
}

function openSearch(place: HeadlessPorts, warn: RunOptions['notify']): NodeSearch {
  const { folders, settings, programs, files } = place;
  const decode: DecodeFile = (path, bytes) => files.decode(path, bytes);
  return new NodeSearch(undefined, programs, { settings, folders: () => folders, log: { warn }, decode });
}

function workbenchOf(languages: HeadlessLanguages): Workbench {
  return { ...noWorkbench, listProblems: () => languages.listProblems() };
}

function runWorkspace(
  place: HeadlessPorts,
  search: NodeSearch,
  languages: HeadlessLanguages,
  notify: RunOptions['notify'],
): HostWorkspace {
  const { folders, trusted, files, programs } = place;
  return {
    folders,
    trusted,
    files,
    search,
    versionControl: new GitFiles(programs),
    languages,
    serverProblems: languages.problems,
    diagnostics: (policy, shellParser) => {
      const checks = fileChecks(files, [commandCheck(place, policy, notify)]);
      return new ChecksWithLanguageServers(checks, syntaxCheck({ files, grammars: shellParser }), languages);
    },
  };
}

function commandCheck(
  { folders, files, processes, clock, machine: { platform }, settings }: HeadlessPorts,
  policy: Pick<Policy, 'classify'>,
  notify: RunOptions['notify'],
): CommandCheck {
  const commands = () => settings.get('checkCommand');
  return new CommandCheck({ files, processes, clock, policy, folders, notify, commands, platform });
}

/** Includes the user's hooks, and the workspace's if they were allowed in a window or are vouched for. */
function makeHooks(
  { settingsFile }: Pick<HeadlessArguments, 'settingsFile'>,
  { machine, folders, documents, consent, clock, programs }: HeadlessPorts,
  additions: LoadedCustomizations,
  sandbox: ProgramSandbox,
  notify: RunOptions['notify'],
): Hooks {
  const places = { home: machine.home, folders: () => folders, settingsFile };
  reportPendingHooks(consent, notify);
  return new Hooks({
    files: hookFilesWith(async () => additions, places, documents),
    processes: new NodeHookProcesses(machine.env, clock, sandbox, programs),
    consent,
    notify,
    reportFailure: notify,
    switchedOff: () => additions.switchedOff,
  });
}
