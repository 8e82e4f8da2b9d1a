/* What the window and the headless entry have in common: an agent over whatever ports they bring. */

import { join } from 'node:path';
import type { Part, Usage } from '../protocol/events.ts';
import { isRecord } from './base/record.ts';
import { plainTerminalText } from './base/terminalText.ts';
import {
  commandReader,
  type LoadShellParser,
  type ReadCommand,
  shellGrammars,
} from './compose/shellGrammars.ts';
import { withBuiltIn } from './core/agents/readAgents.ts';
import type { TemplateSources } from './core/commands/template/templateSources.ts';
import type { Consent } from './core/consent/consent.ts';
import { Briefing } from './core/context/briefing.ts';
import { IdeContext } from './core/context/ideContext.ts';
import { type MemoryPlace, personalName } from './core/context/memory.ts';
import { SessionMemory } from './core/context/sessionMemory.ts';
import { estimateText } from './core/context/tokens.ts';
import type { Additions } from './core/customizations/additions.ts';
import type { Customization } from './core/customizations/files/customization.ts';
import { ForeignTools } from './core/foreign/foreignTools.ts';
import type { Hooks } from './core/hooks/hooks.ts';
import type { BudgetLimit, Limits } from './core/limits.ts';
import { readMentions } from './core/mentions/readMentions.ts';
import type { ServerResources } from './core/mentions/resources.ts';
import type { MentionSources } from './core/mentions/sources.ts';
import type { ModelProvider } from './core/model.ts';
import { WorkspacePaths } from './core/paths.ts';
import { firstMode } from './core/policy/firstMode.ts';
import { Policy } from './core/policy/policy.ts';
import { promptReader } from './core/prompt/promptReader.ts';
import { isLeftOut, sectionsSwitchedOff } from './core/prompt/sectionNames.ts';
import type { ServerInstructions } from './core/prompt/sections/facts.ts';
import { Availability } from './core/routing/availability.ts';
import { type ModelChain, modelChain, type OwnModels } from './core/routing/modelChain.ts';
import type { Models } from './core/routing/models.ts';
import { Agent } from './core/session/agent.ts';
import type { MentionReader, ToolSurface, Workplace } from './core/session/workplace.ts';
import type { AnyTool } from './core/tool.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Clock } from './platform/clock.ts';
import type { PolicyFiles } from './platform/customizations/policyFiles.ts';
import type { Diagnostics } from './platform/diagnostics.ts';
import type { Editor } from './platform/editor.ts';
import type { FileSystem } from './platform/fileSystem.ts';
import type { Http } from './platform/http.ts';
import type { Log } from './platform/log.ts';
import type { Processes } from './platform/processes.ts';
import type { Search } from './platform/search.ts';
import type { Settings } from './platform/settings.ts';
import type { SessionStore } from './platform/storage.ts';
import type { VersionControl, WorkingDiff } from './platform/versionControl.ts';
import type { Workbench } from './platform/workbench.ts';
import { DiscoveredTools, type DiscoveryEntry } from './tools/discovered/discoveredTools.ts';
import { NotebookPresence } from './tools/files/notebookPresence.ts';
import { namedFiles } from './tools/namedFiles.ts';
import { namedPage } from './tools/namedPage.ts';
import { builtInTools } from './tools/tools.ts';
import { WorkspaceTree } from './tools/workspaceTree.ts';

export interface AgentParts {
  /** Absolute workspace folders, the first is the base of relative paths. */
  readonly folders: readonly string[];
  readonly files: FileSystem;
  readonly search: Search;
  readonly processes: Processes;
  readonly http: Http;
  readonly editor: Editor;
  /** For one session, whose policy decides on commands that look for problems. */
  readonly diagnostics: (session: DiagnosticsSurroundings) => Diagnostics;
  readonly store: SessionStore;
  readonly blobs: BlobStore;
  readonly versionControl: VersionControl;
  readonly workingDiff: WorkingDiff;
  /** Absent: none run. */
  readonly hooks?: Hooks;
  /** Absent: nothing is added. */
  readonly additions?: Additions;
  /** Tools that come and go, each list asked before each request; absent: only those that `additions` lead to. */
  readonly moreTools?: readonly ((session: ToolSurface) => () => readonly AnyTool[])[];
  /** What else goes along with a prompt, before the person's words. Never rejects. */
  readonly promptContext?: (prompt: string, signal: AbortSignal) => Promise<readonly Part[]>;
  /** Rules and lasting permissions. */
  readonly policyFiles: PolicyFiles;
  readonly consent: Consent;
  /** What a window knows beside files. */
  readonly workbench: Workbench;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly provider: () => ModelProvider;
  /** Tokens that fit into one request of a model. */
  readonly contextLimit: (model: string) => number;
  /** The provider searches the web when it is asked to; absent: it does. */
  readonly searchesWeb?: () => boolean;
  /** What the provider recommends for `auto`; `undefined` or absent: nothing. */
  readonly ownModels?: (auto: string) => OwnModels | undefined;
  /** The id that a name of a model stands for; absent: names are ids. */
  readonly resolveModel?: (name: string) => string;
  /** US dollars of one answer; `undefined` where no price is known. */
  readonly costOf: (model: string, usage: Usage) => number | undefined;
  readonly trusted: () => boolean;
  /** What servers that run offer beside tools; absent or nothing: none run. */
  readonly servers?: () => ServedThings | undefined;
  /** Servers whose tools the person's own configuration lets run unasked; absent: none. */
  readonly trustedServers?: () => readonly string[];
  /** How often the person has changed a key, whose quota is another one's; absent: never. */
  readonly keyChanges?: () => number;
  /** A person is there to decide. */
  readonly interactive: boolean;
  /** The person's home folder, absolute. */
  readonly home: string;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A sentence for the person that is no part of a session. */
  readonly tell: (sentence: string) => void;
}

/** An adapter that looks for problems by itself needs these. */
export interface DiagnosticsSurroundings {
  readonly policy: Pick<Policy, 'judge'>;
  readonly shellParser: LoadShellParser;
}

/** `mcp/mcpServers.ts` has all of it. */
export interface ServedThings extends ServerResources {
  instructions(): readonly ServerInstructions[];
}

export function assembleAgent(parts: AgentParts): Agent {
  const { settings } = parts;
  const discovered = discoveredTools(parts);
  const shellParser = shellGrammars(parts);
  const shared = {
    analyse: commandReader(parts, shellParser),
    shellParser,
    models: modelsOf(parts),
    discovered,
  };
  return new Agent(() => makeWorkplace(parts, shared), {
    model: () => parts.resolveModel?.(settings.get('model')) ?? settings.get('model'),
    mode: () => firstMode(settings.get('approvalMode'), parts.interactive),
  });
}

function modelsOf(parts: AgentParts): Models {
  const { provider, contextLimit, costOf, resolveModel } = parts;
  return {
    availability: new Availability(parts.clock, () => placeOf(parts)),
    provider,
    chain: () => chosenModels(parts),
    resolve: name => resolveModel?.(name) ?? name,
    contextLimit,
    costOf,
  };
}

/** Who answers, where, and by whose key: what is known of a model there says nothing of its like elsewhere. */
function placeOf({ settings, keyChanges }: Pick<AgentParts, 'settings' | 'keyChanges'>): string {
  const names = [
    ...(['provider', 'baseUrl', 'openai.baseUrl', 'vertex.baseUrl'] as const),
    ...(['vertex.project', 'vertex.location'] as const),
  ];
  return [keyChanges?.() ?? 0, ...names.map(name => settings.get(name))].join('\n');
}

/** Where memory files are looked for, by the settings as they are then. */
export function memoryPlace({
  settings,
  home,
  folders,
  trusted,
  additions,
}: Pick<AgentParts, 'settings' | 'home' | 'folders' | 'trusted' | 'additions'>): () => MemoryPlace {
  return () => ({
    ...{ folders, trusted: trusted(), home: join(home, '.gemini') },
    names: settings.get('contextFileNames'),
    extra: settings.get('memoryFolders'),
    single: additions?.extensions.memory ?? [],
  });
}

/** What all sessions of a window have in common. */
interface Shared {
  readonly analyse: ReadCommand;
  readonly shellParser: LoadShellParser;
  readonly models: Models;
  readonly discovered: DiscoveredTools | undefined;
}

/** Permissions and what was told of the editor belong to one session, so each gets its own. */
function makeWorkplace(parts: AgentParts, { analyse, shellParser, models, discovered }: Shared): Workplace {
  const { folders, files, store, clock, log, settings, editor, home, env } = parts;
  const switchedOff = sectionsSwitchedOff(env);
  const { trusted, interactive, platform, tell } = parts;
  const place = memoryPlace(parts);
  const memory = new SessionMemory(files, place, clock.newId().slice(0, 8));
  // What is the session's own may be read; which folder that is, is known once it has begun.
  let readable = (): readonly string[] => [];
  const skillFolders = new Set<string>();
  const agents = () => parts.additions?.agentKinds ?? withBuiltIn(new Map());
  const skills = () => parts.additions?.skills.entries ?? new Map();
  const paths = new WorkspacePaths(files, folders, () => readable());
  const policy = new Policy({
    ...{ trusted, interactive, analyse, home, tell, gate: paths, workspace: folders[0] },
    ...{ files: parts.policyFiles, consent: parts.consent, trustedServers: parts.trustedServers },
  });
  const without = () => [...settings.get('promptWithout'), ...switchedOff];
  const ignoredFolders = () => settings.get('ignoredFolders');
  const tree = new WorkspaceTree({ files, paths, ignoredFolders }, () => without().includes('tree'));
  const notebooks = new NotebookPresence({ search: parts.search, folders, ignoredFolders });
  const readPrompt = promptReader({
    files,
    clock,
    folders,
    trusted,
    interactive,
    machine: { home, platform, env },
    memory,
    tell,
    agents: () => [...agents().values()],
    skills: () => [...skills().values()].filter(({ isForModel }) => isForModel),
    servers: () => parts.servers?.()?.instructions() ?? [],
    without,
  });
  const foreign = (session: ToolSurface) => {
    const lists = (parts.moreTools ?? []).map(make => make(session));
    const given = () => [...lists.flatMap(list => list()), ...(discovered?.tools ?? [])];
    const isForbidden = (tool: AnyTool) => policy.forbids(tool, session.mode());
    const limits = () => ({
      tools: settings.get('findTools.fromTools'),
      tokens: settings.get('findTools.fromTokens'),
      context: parts.contextLimit(session.model()),
    });
    return new ForeignTools(given, isForbidden, limits, () => calledTools(session)).list;
  };
  const builtIn = (session: ToolSurface) => {
    const outputFolder = () => store.outputsFolder(session.sessionId);
    readable = () => [outputFolder(), store.plansFolder(session.sessionId), ...skillFolders];
    return builtInTools({
      ...{ clock, outputFolder, interactive, notebooks, ignoredFolders },
      outputLimit: () => settings.get('toolOutputLimit'),
      files,
      search: parts.search,
      processes: parts.processes,
      http: parts.http,
      searchesWeb: parts.searchesWeb,
      heedsGeminiIgnore: () => settings.get('respectGeminiIgnore'),
      paths,
      memoryFile: () => join(place().home, personalName),
      model: () => ({ provider: models.provider(), model: session.model() }),
      inactivityTimeout: () => settings.get('shellInactivityTimeout'),
      askBeside: async (question, signal) =>
        settings.get('correctEdits') ? session.askAboutEdit(question, signal) : undefined,
      hasChapters: () => !isLeftOut('chapters', without()),
      startTopic: (title, summary) => session.startTopic(title, summary),
      setTodos: todos => session.setTodos(todos),
      mode: () => session.mode(),
      setMode: mode => session.setMode(mode),
      plans: session.plans,
      chapters: () => session.chapters(),
      hasCompressed: () => session.hasCompressed(),
      estimateTokens: estimateText,
      skills,
      activated: folder => void skillFolders.add(folder),
    });
  };
  return {
    workspace: {
      folders,
      files,
      versionControl: parts.versionControl,
      diagnostics: parts.diagnostics({ policy, shellParser }),
    },
    storage: { sessions: store, blobs: parts.blobs },
    models,
    tools: { builtIn, foreign, agents },
    prompt: {
      read: async facts => {
        // Extensions may switch tools off.
        await parts.additions?.refresh();
        await policy.refresh();
        await discovered?.refresh();
        await notebooks.settle();
        return readPrompt(facts);
      },
    },
    briefing: new Briefing(editor, new IdeContext(folders), tree, memory),
    mentions: mentionReader(parts),
    policy,
    hooks: parts.hooks,
    limits: () => limitsOf(settings),
    clock,
    log,
  };
}

function mentionReader(parts: AgentParts): MentionReader {
  return {
    templates: templateSources(parts),
    read: async (text, attachments, signal) => {
      const [added = [], read] = await Promise.all([
        parts.promptContext?.(text, signal),
        readMentions(mentionSources(parts, parts.folders), text, attachments, signal),
      ]);
      return { ...read, parts: [...added, ...read.parts] };
    },
  };
}

/** Names, oldest first. */
function calledTools(session: ToolSurface): readonly string[] {
  const messages = session.chapters().flatMap(chapter => chapter.messages);
  return messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' ? [part.name] : [])));
}

/** They are run as hooks are, since they get an input. */
function discoveredTools(parts: AgentParts): DiscoveredTools | undefined {
  const { additions, hooks, clock, files, trusted, tell } = parts;
  if (!additions || !hooks) return undefined;
  return new DiscoveredTools({
    ...{ processes: hooks.processes, clock, trusted, tell },
    folder: async () => {
      const [folder] = parts.folders;
      return folder === undefined ? undefined : files.realPath(folder);
    },
    entries: () => additions.all.of('tools').flatMap(toDiscoveryEntry),
    recheck: () => additions.all.refresh(),
  });
}

function toDiscoveryEntry({ value, path }: Customization): readonly DiscoveryEntry[] {
  if (!isRecord(value) || typeof value.discoveryCommand !== 'string') return [];
  const { discoveryCommand, callCommand } = value;
  return [{ discoveryCommand, path, ...(typeof callCommand === 'string' && { callCommand }) }];
}

function chosenModels({ settings, ownModels, resolveModel }: AgentParts): ModelChain {
  const [strong = '', fast = '', cheap = ''] = [
    settings.get('auto.strongModel'),
    settings.get('auto.fastModel'),
    settings.get('cheapModel'),
  ].map(name => (name === '' ? name : (resolveModel?.(name) ?? name)));
  return modelChain({ strong, fast, cheap }, ownModels?.(settings.get('model')));
}

function limitsOf(settings: Settings): Limits {
  return {
    budgets: budgetsOf(settings),
    maxAttempts: settings.get('maxAttempts'),
    compressionThreshold: settings.get('compressionThreshold'),
    outputLength: settings.get('toolOutputLimit'),
    loopDetection: settings.get('loopDetection'),
    nextSpeakerCheck: settings.get('nextSpeakerCheck'),
  };
}

/** Zero means none. */
function budgetsOf(settings: Settings): readonly BudgetLimit[] {
  const limits: readonly BudgetLimit[] = [
    { kind: 'steps', scope: 'turn', limit: settings.get('maxSteps') },
    { kind: 'tokens', scope: 'turn', limit: settings.get('budget.turnTokens') },
    { kind: 'money', scope: 'turn', limit: settings.get('budget.turnCost') },
    { kind: 'time', scope: 'turn', limit: settings.get('budget.turnMinutes') * 60_000 },
    { kind: 'tokens', scope: 'session', limit: settings.get('budget.sessionTokens') },
    { kind: 'money', scope: 'session', limit: settings.get('budget.sessionCost') },
  ];
  return limits.filter(({ limit }) => limit > 0);
}

/** The same files and the same web as the tools have. */
function mentionSources(parts: AgentParts, folders: readonly string[]): MentionSources {
  const { files, search, http, workbench, workingDiff: diff, trusted, log } = parts;
  const paths = new WorkspacePaths(files, folders);
  return {
    ...{ workbench, diff, folders, trusted, log },
    files: namedFiles({ files, search, paths }),
    ...(parts.servers && { servers: parts.servers }),
    readPage: (url, signal) => namedPage(http, url, signal),
  };
}

/** The files of mentions and the commands of the shell, for prompts that come from files. */
function templateSources(parts: AgentParts): TemplateSources {
  const { processes, clock, platform, settings, files } = parts;
  return {
    ...{ processes, clock, platform, plainText: plainTerminalText },
    mentions: mentionSources(parts, parts.folders),
    folder: async () => {
      const [first] = parts.folders;
      return first === undefined ? undefined : files.realPath(first);
    },
    limits: () => ({
      outputLength: settings.get('toolOutputLimit'),
      inactivityTimeout: settings.get('shellInactivityTimeout'),
    }),
  };
}
