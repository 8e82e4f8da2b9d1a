/*
 * Sources of prompts and tools beside the workspace's files: mentions, templates of slash commands, tools declared by
 * programs, scripts that call tools, memory, skills, and web search by a command.
 */

import { type LocalizedMessage, t } from '../../protocol/language.ts';
import { type Container, type IsolatedPlace, isContainer, type Worktree } from '../../protocol/worktree.ts';
import { lazyAcp } from '../acp/lazyAcp.ts';
import { isRecord } from '../base/record.ts';
import { plainTerminalText } from '../base/terminalText.ts';
import { ConcurrentRuns } from '../core/changes/concurrentRuns.ts';
import { IncludedIgnoredFiles } from '../core/changes/includedIgnoredFiles.ts';
import { IndexedVersionControl } from '../core/changes/indexedVersionControl.ts';
import type { TemplateSources } from '../core/commands/template/templateSources.ts';
import type { ConsentService } from '../core/consent/consentService.ts';
import type { InboxServices } from '../core/context/inbox/proposalScanner.ts';
import { readMemory } from '../core/context/memory.ts';
import type { Customization } from '../core/customizations/files/customization.ts';
import type { ExternalAgentServices } from '../core/external/externalSession.ts';
import { ScriptCallMode } from '../core/foreign/scriptCallMode.ts';
import { readMentions } from '../core/mentions/readMentions.ts';
import type { MentionSources } from '../core/mentions/sources.ts';
import { WorkspacePaths } from '../core/paths.ts';
import { initialMode } from '../core/policy/initialMode.ts';
import type { ModelServices } from '../core/routing/modelServices.ts';
import type { MentionReader, SessionForTools, Workspace } from '../core/session/sessionServices.ts';
import type { EditCheckResult } from '../core/tool.ts';
import { isContainerAllowed } from '../core/worktrees/confirmContainer.ts';
import { WorktreeResources } from '../core/worktrees/worktreeResources.ts';
import { WorktreeTransfer } from '../core/worktrees/worktreeTransfer.ts';
import { lazyBrowser } from '../node/browser/lazyBrowser.ts';
import { DevContainers } from '../node/containers/devContainers.ts';
import { lazyDebugger } from '../node/debug/lazyDebugger.ts';
import { NodeBulkFiles } from '../node/files/nodeBulkFiles.ts';
import { GitDiff } from '../node/git/gitDiff.ts';
import { lazyHttp } from '../node/http/lazyHttp.ts';
import { ProgramFinder } from '../node/processes/programs.ts';
import { NodeToolScriptRunner } from '../node/scripts/nodeToolScriptRunner.ts';
import type { Browser } from '../platform/browser/browser.ts';
import type { Containers } from '../platform/containers.ts';
import type { Debugger } from '../platform/debug/debugger.ts';
import type { Log } from '../platform/log.ts';
import { clientFileAccess } from '../tools/clientFiles.ts';
import { createMentionFiles } from '../tools/createMentionFiles.ts';
import { DiscoveredTools, type DiscoveryEntry } from '../tools/discovered/discoveredTools.ts';
import type { FilePorts } from '../tools/files/editableFile.ts';
import type { SeenFiles } from '../tools/files/seenFiles.ts';
import { readMentionedPage } from '../tools/readMentionedPage.ts';
import type { CommandSearchPorts } from '../tools/web/ownSearch.ts';
import type { AgentHost, HostCustomizations, HostWorkspace } from './agentHost.ts';
import { memorySources } from './memorySources.ts';

/** Objects that all sessions in the same folders share. */
export interface SharedSessionServices {
  readonly discovered: DiscoveredTools | undefined;
  readonly watching: Watching;
}

/** Third-party agents, as child processes. */
export function makeExternalAgentServices(host: AgentHost, files: FilePorts): ExternalAgentServices {
  const { settings, workspace, machine, added, clock, log } = host;
  const agents = lazyAcp({
    commands: () => settings.get('agents.external'),
    trusted: workspace.trusted,
    processes: async () => {
      const { NodeServerProcesses } = await import('../node/processes/serverProcesses.ts');
      return new NodeServerProcesses(machine.env, new ProgramFinder(() => workspace.folders, machine.env));
    },
    clock,
    log,
  });
  const servers = async (folder: string) => {
    const running = added.servers?.();
    if (!running) return [];
    const { passedServers } = await import('../mcp/tools/passedServers.ts');
    return passedServers(running, folder);
  };
  return { agents, tools: clientFileAccess(files, machine.platform), servers };
}

export function makeSharedSessionServices(host: AgentHost): SharedSessionServices {
  return { discovered: discoveredTools(host), watching: watchingOf(host) };
}

/** Dependencies to detect changes by commands. */
type Watching = Pick<Workspace, 'concurrentRuns' | 'versionControl' | 'alsoIgnored' | 'slots'>;

function watchingOf({ settings, processes, clock, workspace }: AgentHost): Watching {
  const { search, files, editors, versionControl, slots } = workspace;
  const ignoredFolders = () => settings.get('ignoredFolders');
  return {
    slots,
    concurrentRuns: new ConcurrentRuns(processes, editors),
    versionControl: new IndexedVersionControl({
      versionControl,
      search,
      files,
      many: new NodeBulkFiles(),
      clock,
      ignoredFolders,
    }),
    alsoIgnored: new IncludedIgnoredFiles({
      search,
      files,
      ignoredFolders,
      globs: () => settings.get('review.alsoIgnored'),
    }),
  };
}

export function mentionReader(host: AgentHost, seen: SeenFiles): MentionReader {
  const { promptContext } = host.added;
  const sources = mentionSources(host, seen);
  return {
    templates: templateSources(host, sources),
    read: async (text, attachments, signal) => {
      const [added = [], read] = await Promise.all([
        promptContext?.(text, signal),
        readMentions(sources, text, attachments, signal),
      ]);
      return { ...read, parts: [...added, ...read.parts] };
    },
  };
}

/** Uses the same files and web access as the tools. */
function mentionSources({ workspace, workbench, added, log }: AgentHost, seen: SeenFiles): MentionSources {
  const { files, search, folders, trusted } = workspace;
  const http = lazyHttp();
  return {
    workbench,
    diff: new GitDiff(new ProgramFinder(() => folders)),
    folders,
    trusted,
    log,
    files: createMentionFiles({ files, search, seen, paths: new WorkspacePaths(files, folders) }),
    servers: added.servers,
    readPage: (url, signal) => readMentionedPage(http, url, signal),
  };
}

/** Files of mentions and shell commands, for prompts from files. */
function templateSources(host: AgentHost, mentions: MentionSources): TemplateSources {
  const { processes, clock, machine, settings, workspace } = host;
  return {
    processes,
    clock,
    platform: machine.platform,
    plainText: plainTerminalText,
    mentions,
    folder: () => firstFolder(workspace),
    limits: () => ({
      outputLength: settings.get('toolOutputLimit'),
      inactivityTimeout: settings.get('shellInactivityTimeout'),
    }),
  };
}

/** Absolute and real. */
async function firstFolder({ folders, files }: HostWorkspace): Promise<string | undefined> {
  const [folder] = folders;
  return folder === undefined ? undefined : files.realPath(folder);
}

/** Web search by a command from the settings, which runs like a hook. */
export function makeWebSearchCommandPorts({
  settings,
  added,
  machine,
  workspace,
}: AgentHost): CommandSearchPorts {
  return {
    command: () => settings.get('webSearchCommand'),
    processes: added.hooks?.processes,
    platform: machine.platform,
    folder: () => firstFolder(workspace),
  };
}

/** Runs like a hook, since it gets an input. */
function discoveredTools({ workspace, user, added, clock }: AgentHost): DiscoveredTools | undefined {
  const { additions, hooks } = added;
  if (!additions || !hooks) return undefined;
  return new DiscoveredTools({
    processes: hooks.processes,
    clock,
    trusted: workspace.trusted,
    notify: user.notify,
    folder: () => firstFolder(workspace),
    entries: () => additions.all.of('tools').flatMap(toDiscoveryEntry),
    recheck: () => additions.all.refresh(),
  });
}

function toDiscoveryEntry({ value, path }: Customization): readonly DiscoveryEntry[] {
  if (!isRecord(value) || typeof value.discoveryCommand !== 'string') return [];
  const { discoveryCommand, sandbox } = value;
  const callCommand = typeof value.callCommand === 'string' ? value.callCommand : undefined;
  return [{ discoveryCommand, path, callCommand, sandbox }];
}

export function scriptCallingOf({
  settings,
  sandbox,
  workspace,
  clock,
  user,
  log,
}: AgentHost): ScriptCallMode {
  const scripts = new NodeToolScriptRunner(sandbox, workspace.folders);
  return new ScriptCallMode({
    setting: () => settings.get('mcp.byCode'),
    scripts,
    clock,
    notify: user.notify,
    log,
  });
}

export function memorySourcesOf({ machine, workspace, settings, added }: AgentHost) {
  return memorySources(machine.home, workspace, settings, added.additions);
}

export function makeInboxServices(host: AgentHost): InboxServices | undefined {
  const { storage, settings, workspace, added } = host;
  const { inbox } = storage;
  return (
    inbox && {
      inbox,
      isOn: () => settings.get('memory.propose') && workspace.trusted() && workspace.folders.length > 0,
      readMemory: () => readMemory(workspace.files, memorySourcesOf(host)),
      skills: () => [...skillsOf(added).keys()],
    }
  );
}

export function skillsOf({ additions }: HostCustomizations) {
  return additions?.skills.entries ?? new Map();
}

/** `FOLIO_BROWSER=off` is for machines where the settings cannot be changed. */
export function browserOf({ workspace, machine, settings, pages, added }: AgentHost): Browser {
  return lazyBrowser({
    folders: workspace.folders,
    env: machine.env,
    isEnabled: () =>
      settings.get('browser.enabled') && workspace.trusted() && machine.env.FOLIO_BROWSER !== 'off',
    isElsewhere: added.hasBrowser,
    path: () => settings.get('browser.path'),
    mask: () => settings.get('browser.mask'),
    onClose: browser => {
      for (const [sessionId, each] of pages ?? []) if (each === browser) pages?.delete(sessionId);
    },
  });
}

/** Checks open pages, if the user enabled that. */
export async function checkOpenPage(
  { settings }: AgentHost,
  browser: Browser,
  signal: AbortSignal,
): Promise<EditCheckResult | undefined> {
  if (!settings.get('browser.check') || !browser.isUsed || !browser.isAvailable()) return undefined;
  const { checkPage } = await import('../tools/browser/checkPage.ts');
  return checkPage(browser, signal);
}

/** A debugger for one session. What it debugs ends with the session. */
export function debuggerOf({ workspace, machine, settings }: AgentHost): Debugger {
  const { folders, files, trusted, makeDebugger } = workspace;
  if (makeDebugger) return makeDebugger();
  const adapter = () => settings.get('debug.adapter');
  return lazyDebugger({ folders, files, env: machine.env, isTrusted: trusted, adapter });
}

export function stopDebuggingWithTurn(debug: Debugger, log: Log): Parameters<SessionForTools['follow']>[0] {
  return {
    onEvent: event => {
      if (event.type !== 'turn.ended' || event.end.kind !== 'stopped') return;
      debug.close().catch((error: unknown) => log.error('A debugged program could not be ended', error));
    },
    beforePrompt: async () => undefined,
  };
}

/** Returns the model and mode that new sessions begin with. */
export function sessionDefaults({ settings, user }: AgentHost, models: ModelServices) {
  return {
    model: () => models.resolve(settings.get('model')),
    mode: () => initialMode(settings, user.interactive),
  };
}

/** The user's own folders, and how changes of a worktree get there. */
export interface SessionLocation extends Pick<Workspace, 'homeFolders' | 'worktreeTransfer'> {
  /** Absent if the session works in the user's own folders. */
  readonly equipment?: WorktreeResources;
  /** Absent if commands run on the user's system. */
  readonly container?: Container;
}

export function makeSessionLocation(
  place: IsolatedPlace,
  host: AgentHost,
  { workspace }: AgentHost,
): SessionLocation {
  if (isContainer(place)) return { homeFolders: host.workspace.folders, container: place };
  return homeOfWorktree(place, host, workspace);
}

/** The system's sandbox does not apply inside a container. */
export async function whyNoSandbox(
  { container }: SessionLocation,
  sandbox: Pick<AgentHost['sandbox'], 'whyMissing'>,
): Promise<LocalizedMessage | undefined> {
  if (!container) return await sandbox.whyMissing();
  return () => t("Commands in a container do not use Folio's sandbox. The container itself limits them.");
}

function homeOfWorktree(
  worktree: Worktree,
  host: AgentHost,
  workspace: Pick<HostWorkspace, 'versionControl' | 'files'>,
): SessionLocation {
  const { versionControl, files } = workspace;
  const worktreeTransfer = new WorktreeTransfer(worktree, {
    worktrees: host.worktrees,
    versionControl,
    files,
  });
  const equipment = new WorktreeResources(worktree, { ...host, files });
  return { homeFolders: host.workspace.folders, worktreeTransfer, equipment };
}

/** Names, oldest first. */
export function calledTools(session: Pick<SessionForTools, 'chapters'>): readonly string[] {
  const messages = session.chapters().flatMap(chapter => chapter.messages);
  return messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' ? [part.name] : [])));
}

export function makeDevContainers(
  programs: ProgramFinder,
  env: AgentHost['machine']['env'],
  consent: Pick<ConsentService, 'stateOf'>,
): DevContainers {
  return new DevContainers({ programs, env, isApproved: plan => isContainerAllowed(plan, consent) });
}

/** Hooks, servers and language servers stay on the user's system, for which they were written. */
export function withContainerProcesses(
  { inside }: Container,
  host: AgentHost,
  containers: Pick<Containers, 'commands'>,
): AgentHost {
  const [folder = ''] = host.workspace.folders;
  const processes = containers.commands({ folder, inside }, host.processes);
  // Tests of the editor would run on the user's system.
  return { ...host, processes, workspace: { ...host.workspace, tests: undefined } };
}
