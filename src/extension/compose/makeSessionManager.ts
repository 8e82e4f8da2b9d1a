/* Assembles the same agent for a window and for a headless run, over the ports of the host. */

import { join } from 'node:path';
import type { IsolatedPlace } from '../../protocol/worktree.ts';
import { lazyA2a } from '../a2a/lazyA2a.ts';
import { allowedAgents } from '../core/agents/readAgents.ts';
import { EnvironmentContext } from '../core/context/environmentContext.ts';
import { IdeContext } from '../core/context/ideContext.ts';
import { savedMemoryFileName } from '../core/context/memory.ts';
import { SessionMemory } from '../core/context/sessionMemory.ts';
import { estimateText } from '../core/context/tokens.ts';
import { ForeignTools } from '../core/foreign/foreignTools.ts';
import type { ScriptCallMode } from '../core/foreign/scriptCallMode.ts';
import type { Hooks } from '../core/hooks/hooks.ts';
import { readLimits } from '../core/limitSettings.ts';
import { WorkspacePaths } from '../core/paths.ts';
import { Policy } from '../core/policy/policy.ts';
import { RunningPrograms } from '../core/programs/runningPrograms.ts';
import { makePromptRead, type PromptSources, type SystemPromptReader } from '../core/prompt/promptReader.ts';
import { isSectionOmitted, sectionsSwitchedOff } from '../core/prompt/sectionNames.ts';
import { DaySpending } from '../core/recording/daySpending.ts';
import type { ModelServices } from '../core/routing/modelServices.ts';
import { SessionManager } from '../core/session/sessionManager.ts';
import type {
  MentionReader,
  SessionForTools,
  SessionServices,
  SessionStores,
  ToolSource,
  Workspace,
} from '../core/session/sessionServices.ts';
import type { AnyTool } from '../core/tool.ts';
import { providers } from '../models/providers.ts';
import { findDocs } from '../node/docsFolder.ts';
import { lazyHttp } from '../node/http/lazyHttp.ts';
import type { Browser } from '../platform/browser/browser.ts';
import type { Clock } from '../platform/clock.ts';
import type { Debugger } from '../platform/debug/debugger.ts';
import type { Log } from '../platform/log.ts';
import { parseModelName } from '../platform/modelNames.ts';
import type { DebugPorts } from '../tools/debug/debug.ts';
import { trackChangedLines } from '../tools/files/changedLines.ts';
import { NotebookPresence } from '../tools/files/notebookPresence.ts';
import { SeenFiles } from '../tools/files/seenFiles.ts';
import type { CommandPorts } from '../tools/shell/commandPorts.ts';
import { InteractiveCommands } from '../tools/shell/interactiveCommands.ts';
import { LateMessages } from '../tools/shell/lateMessages.ts';
import type { TestSources } from '../tools/tests/runTests.ts';
import { TestPresence } from '../tools/tests/testPresence.ts';
import {
  builtInTools,
  type FileToolPorts,
  type SessionToolPorts,
  type WebToolPorts,
} from '../tools/tools.ts';
import { WorkspaceTree } from '../tools/workspaceTree.ts';
import type { AgentHost } from './agentHost.ts';
import { makeModelServices } from './hostModels.ts';
import { type AnalyseCommand, commandAnalyser, type LoadShellParser, parserLoader } from './shellGrammars.ts';
import {
  browserOf,
  calledTools,
  checkOpenPage,
  debuggerOf,
  makeExternalAgentServices,
  makeInboxServices,
  makeSessionLocation,
  makeSharedSessionServices,
  makeWebSearchCommandPorts,
  memorySourcesOf,
  mentionReader,
  type SessionLocation,
  type SharedSessionServices,
  scriptCallingOf,
  sessionDefaults,
  skillsOf,
  stopDebuggingWithTurn,
  whyNoSandbox,
} from './workspaceSources.ts';

export function makeSessionManager(host: AgentHost): SessionManager {
  const { user, machine, log } = host;
  const place = { home: machine.home, platform: machine.platform, log };
  const shellParser = parserLoader(place);
  const shared: Shared = {
    shellParser,
    analyse: commandAnalyser(place, shellParser),
    models: makeModelServices(host),
    ...makeSharedSessionServices(host),
    interactiveCommands: new InteractiveCommands(),
    programs: new RunningPrograms(),
    daySpending: new DaySpending(host.storage.sessions, host.clock, log),
    sectionsOff: sectionsSwitchedOff(machine.env, user.notify),
  };
  const workElsewhere = (place: IsolatedPlace) => {
    const moved = host.moveTo(place);
    const sharedThere = { ...shared, ...makeSharedSessionServices(moved) };
    return new HostServices(moved, sharedThere, makeSessionLocation(place, host, moved));
  };
  const atHome = () => new HostServices(host, shared, { homeFolders: host.workspace.folders });
  const makeServices = (place?: IsolatedPlace) => (place ? workElsewhere(place) : atHome());
  const follow = (id: string) => host.observers.follow(id);
  return new SessionManager(makeServices, sessionDefaults(host, shared.models), follow);
}

interface Shared extends SharedSessionServices {
  readonly shellParser: LoadShellParser;
  readonly analyse: AnalyseCommand;
  readonly models: ModelServices;
  readonly interactiveCommands: InteractiveCommands;
  readonly programs: RunningPrograms;
  readonly daySpending: DaySpending;
  readonly sectionsOff: readonly string[];
}

/** The environment of one session: shared objects of its host, and its own. */
class HostServices implements SessionServices {
  private readonly host: AgentHost;
  private readonly shared: Shared;
  private readonly home: SessionLocation;
  private readonly docs = findDocs();
  /** The session's own folders are added once it has begun. */
  private readonly readable = new Set(this.docs === undefined ? [] : [this.docs]);
  private readonly seen = new SeenFiles({
    standing: path => (isSectionOmitted('memory', this.leftOut()) ? undefined : this.memory.textOf(path)),
  });
  readonly paths: WorkspacePaths;
  private readonly memory: SessionMemory;
  private readonly notebooks: NotebookPresence;
  private readonly byCode: ScriptCallMode;
  readonly browser: Browser;
  readonly debugger: Debugger;
  private listForeign: () => readonly AnyTool[] = () => [];
  private readonly tests: TestPresence;
  readonly workspace: Workspace;
  readonly storage: SessionStores;
  readonly models: ModelServices;
  readonly tools: ToolSource;
  readonly prompt: SystemPromptReader;
  readonly environmentContext: EnvironmentContext;
  readonly mentions: MentionReader;
  readonly policy: Policy;
  readonly hooks: Hooks | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits = () => readLimits(this.host.settings, this.shared.daySpending);
  private readonly wantsSandbox = () => this.host.settings.get('sandbox') === 'on';
  private readonly testCommand = () => this.host.settings.get('testCommand');
  private readonly ignoredFolders = () => this.host.settings.get('ignoredFolders');
  private mode: SessionForTools['mode'] = () => 'default';
  private readonly agents = () =>
    allowedAgents(this.host.added.additions, name => this.policy.forbidsAgent(name, this.mode()));
  private readonly leftOut = () => [...this.host.settings.get('promptWithout'), ...this.shared.sectionsOff];

  /** @param home its workspace provides rules and permissions, wherever the session works */
  constructor(host: AgentHost, shared: Shared, home: SessionLocation) {
    const { files, folders, search } = host.workspace;
    this.host = host;
    this.shared = shared;
    this.home = home;
    this.storage = { ...host.storage, inbox: makeInboxServices(host) };
    this.models = shared.models;
    this.hooks = host.added.hooks;
    [this.clock, this.log] = [host.clock, host.log];
    const readable = () => [...this.readable, ...(home.equipment?.readable ?? [])];
    this.paths = new WorkspacePaths(files, folders, readable, undefined, home.container?.inside);
    this.memory = new SessionMemory(files, () => memorySourcesOf(host), host.clock.newId().slice(0, 8));
    this.tests = new TestPresence(host.workspace, this.paths, this.testCommand);
    this.notebooks = new NotebookPresence({ search, folders, ignoredFolders: this.ignoredFolders });
    this.byCode = scriptCallingOf(host);
    this.browser = browserOf(host);
    this.debugger = debuggerOf(host);
    this.policy = this.makePolicy();
    const diagnostics = host.workspace.diagnostics(this.policy, shared.shellParser);
    this.workspace = { folders, files, ...home, ...shared.watching, diagnostics };
    this.tools = this.toolSource();
    this.prompt = this.systemPromptReader();
    this.environmentContext = this.makeEnvironmentContext();
    this.mentions = mentionReader(host, this.seen);
  }

  private makePolicy(): Policy {
    const { workspace, user, machine, added, sandbox } = this.host;
    return new Policy({
      trusted: workspace.trusted,
      interactive: user.interactive,
      gate: this.paths,
      analyse: this.shared.analyse,
      files: added.policyFiles,
      consent: added.consent,
      home: machine.home,
      trustedServers: () => added.servers?.()?.trusted ?? [],
      sandbox: {
        isOn: this.wantsSandbox,
        whyMissing: () => whyNoSandbox(this.home, sandbox),
        grants: sandbox.grants,
      },
      workspace: this.home.homeFolders[0],
      notify: user.notify,
    });
  }

  private makeEnvironmentContext(): EnvironmentContext {
    const { editor, workspace } = this.host;
    const { paths, ignoredFolders, memory, browser } = this;
    const isOmitted = () => this.leftOut().includes('tree');
    const tree = new WorkspaceTree({ ...workspace, paths, ignoredFolders }, isOmitted);
    const context = new EnvironmentContext(editor, new IdeContext(workspace.folders), tree, memory);
    return context.add(browser.sharing);
  }

  private toolSource(): ToolSource {
    return {
      builtIn: session => this.builtIn(session),
      foreign: session => this.foreignTools(session),
      agents: this.agents,
      remote: lazyA2a(this.host),
      programs: this.shared.programs,
      checkWork: signal => checkOpenPage(this.host, this.browser, signal),
      close: async () => void (await Promise.all([this.browser.close(), this.debugger.close()])),
      external: session => makeExternalAgentServices(this.host, this.fileTools(session)),
    };
  }

  private systemPromptReader(): SystemPromptReader {
    const read = makePromptRead(this.promptSources());
    return {
      read: async facts => {
        await this.refreshAdditions();
        // Reads the files of a prompt and its dependencies concurrently, since the model waits for all.
        const [compose] = await Promise.all([
          read(facts),
          this.policy.refresh(),
          this.shared.discovered?.refresh(),
          this.notebooks.settle(),
          this.tests.settle(),
          this.home.equipment?.settle(),
          this.host.workspace.languages?.settle(),
        ]);
        // The list decides whether scripts are needed.
        this.listForeign();
        await this.byCode.settle();
        return compose;
      },
    };
  }

  /** A turn begins by reading hooks, which refreshes all additions. After that only hooks can have changed them. */
  private async refreshAdditions(): Promise<void> {
    const { additions, hooks } = this.host.added;
    if (!hooks || hooks.has('SessionStart') || hooks.has('BeforeAgent')) await additions?.refresh();
  }

  private promptSources(): PromptSources {
    const { workspace, user, machine, added, clock } = this.host;
    return {
      ...workspace,
      clock,
      machine,
      interactive: user.interactive,
      sandboxed: this.wantsSandbox,
      elsewhere: this.home,
      memory: this.memory,
      added: () => ({
        agents: [...this.agents().values()],
        skills: [...skillsOf(added).values()].filter(({ isForModel }) => isForModel),
        servers: added.servers?.()?.instructions(),
        docs: this.docs,
        drawsFigures: user.hasWindow,
      }),
      without: () => this.leftOut(),
      notify: user.notify,
    };
  }

  /** Tools of servers, other programs and discovery, as far as the session allows them. */
  private foreignTools(session: SessionForTools): () => readonly AnyTool[] {
    const { added, settings } = this.host;
    const lists = (added.tools ?? []).map(make => make(session));
    const given = () => [...lists.flatMap(list => list()), ...(this.shared.discovered?.tools ?? [])];
    const isForbidden = (tool: AnyTool) => this.policy.forbids(tool, session.mode());
    const limits = () => ({
      tools: settings.get('findTools.fromTools'),
      tokens: settings.get('findTools.fromTokens'),
      context: this.models.contextLimit(session.model()),
    });
    const called = () => calledTools(session);
    this.listForeign = new ForeignTools(given, isForbidden, limits, called, this.byCode).list;
    return this.listForeign;
  }

  private builtIn(session: SessionForTools): readonly AnyTool[] {
    const { sessions } = this.storage;
    this.mode = () => session.mode();
    this.host.pages?.set(session.sessionId, this.browser);
    this.readable.add(sessions.outputsFolder(session.sessionId)).add(sessions.plansFolder(session.sessionId));
    this.seen.attach(session.follow(this.seen.follower(this.host.workspace.files, this.paths)));
    return builtInTools(
      this.fileTools(session),
      this.sessionTools(session),
      this.commandTools(session),
      this.webTools(session),
      this.testSources(),
      this,
      this.debugPorts(session),
    );
  }

  private fileTools(session: SessionForTools): FileToolPorts {
    const { workspace, settings, added, clock } = this.host;
    return {
      files: workspace.files,
      search: workspace.search,
      languages: workspace.languages,
      workbench: this.host.workbench,
      diagnostics: workspace.serverProblems ?? this.workspace.diagnostics,
      clock,
      paths: this.paths,
      notebooks: this.notebooks,
      changed: trackChangedLines(session, this.storage.blobs, workspace.files),
      seen: this.seen,
      ignoredFolders: this.ignoredFolders,
      heedsGeminiIgnore: () => settings.get('respectGeminiIgnore'),
      ignoreFiles: () => settings.get('ignoreFiles'),
      sideQuery: async (question, signal) =>
        settings.get('correctEdits') ? session.askAboutEdit(question, signal) : undefined,
      memoryFile: () => join(memorySourcesOf(this.host).home, savedMemoryFileName),
      skills: () => skillsOf(added),
      activated: folder => void this.readable.add(folder),
    };
  }

  private sessionTools(session: SessionForTools): SessionToolPorts {
    const { startTopic, setTodos, mode, setMode, plans, chapters, hasCompressed } = session;
    return {
      startTopic,
      setTodos,
      mode,
      setMode,
      plans,
      chapters,
      hasCompressed,
      interactive: this.host.user.interactive,
      hasChapters: () => !isSectionOmitted('chapters', this.leftOut()),
      estimateTokens: estimateText,
    };
  }

  private commandTools(session: SessionForTools): CommandPorts {
    const { workspace, settings, processes, sandbox, machine, clock } = this.host;
    return {
      processes,
      sandbox: {
        isOn: this.wantsSandbox,
        contain: intent => sandbox.contain(intent),
        home: machine.home,
        late: new LateMessages(this.host.user.notify),
      },
      files: workspace.files,
      paths: this.paths,
      clock,
      isAttended: this.host.user.hasWindow && !this.home.container,
      programs: session.commands.programs,
      open: this.shared.interactiveCommands.of(session.sessionId, session.commands.reportWaiting),
      variables: async () => (await this.home.equipment?.variables()) ?? {},
      inactivityTimeout: () => settings.get('shellInactivityTimeout'),
      outputLimit: () => settings.get('toolOutputLimit'),
      outputFolder: () => this.storage.sessions.outputsFolder(session.sessionId),
    };
  }

  private debugPorts(session: SessionForTools): DebugPorts {
    session.follow(stopDebuggingWithTurn(this.debugger, this.host.log));
    const { debugger: debug, paths, clock, wantsSandbox } = this;
    return { debugger: debug, files: this.host.workspace.files, paths, clock, wantsSandbox };
  }

  private testSources(): TestSources {
    const { workspace, machine } = this.host;
    return {
      presence: this.tests,
      editorTests: workspace.tests,
      command: this.testCommand,
      files: workspace.files,
      platform: machine.platform,
    };
  }

  private webTools(session: SessionForTools): WebToolPorts {
    const { access, settings } = this.host;
    return {
      http: lazyHttp(),
      outputLimit: () => settings.get('toolOutputLimit'),
      searchesWeb: () =>
        providers[parseModelName(session.model(), access.name, access.others).provider].searchesWeb,
      ownSearch: makeWebSearchCommandPorts(this.host),
      model: () => ({ provider: this.models.provider(), model: session.model() }),
    };
  }
}
