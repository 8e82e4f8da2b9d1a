/* The agent of a run without a window, over Node ports. */

import { join } from 'node:path';
import { autoModel } from '../../protocol/routing.ts';
import { assembleAgent, memoryPlace } from '../assemble.ts';
import { nearestNames } from '../base/similarity.ts';
import { plural } from '../base/text.ts';
import { hookExtensions, policyFilesWith } from '../compose/extensions.ts';
import { describeUnlisted } from '../core/commands/pickModelName.ts';
import { Consent } from '../core/consent/consent.ts';
import { Additions } from '../core/customizations/additions.ts';
import { Hooks } from '../core/hooks/hooks.ts';
import type { ModelInfo, ModelProvider } from '../core/model.ts';
import { SessionCatalog } from '../core/recording/sessionCatalog.ts';
import { chosenProvider } from '../models/chosenProvider.ts';
import { addressOf, providers, resolveModel, vertexPlace } from '../models/providers.ts';
import { ConsoleLog } from '../node/consoleLog.ts';
import { NodeCustomFiles } from '../node/customizations/customFiles.ts';
import { NodeExtensionVariables } from '../node/customizations/extensionVariables.ts';
import { NodeHookFiles } from '../node/customizations/hookFiles.ts';
import { EnvironmentSecrets } from '../node/environmentSecrets.ts';
import { NodeFileSystem } from '../node/files/nodeFileSystem.ts';
import { GitDiff } from '../node/git/gitDiff.ts';
import { GitFiles } from '../node/git/gitFiles.ts';
import { findHome } from '../node/homeFolder.ts';
import { lazyHttp } from '../node/http/lazyHttp.ts';
import { PassingSecrets } from '../node/passingSecrets.ts';
import { NodeHookProcesses } from '../node/processes/hookProcess.ts';
import { NodeProcesses } from '../node/processes/nodeProcesses.ts';
import { NodeSearch } from '../node/search/nodeSearch.ts';
import { NodeBlobStore } from '../node/sessions/nodeBlobStore.ts';
import { NodeSessionStore } from '../node/sessions/nodeSessionStore.ts';
import { type FileSettings, readFileSettings } from '../node/settings/fileSettings.ts';
import { SeenFile } from '../node/settings/seenFile.ts';
import { NodeSettingsDocuments } from '../node/settings/settingsDocuments.ts';
import { findDistrust } from '../node/settings/trustedFolders.ts';
import { SystemClock } from '../node/systemClock.ts';
import type { CustomFiles } from '../platform/customizations/customFiles.ts';
import type { SeenItems } from '../platform/customizations/seenItems.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import type { Processes } from '../platform/processes.ts';
import type { ProviderName } from '../platform/settings.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';
import { allSeen, noEditor, noWorkbench } from './absent.ts';
import { type HeadlessArguments, UsageError } from './arguments.ts';
import { CommandCheck } from './checks/commandCheck.ts';
import { fileChecks } from './checks/fileChecks.ts';
import { syntaxCheck } from './checks/syntaxCheck.ts';
import { RunServers } from './runServers.ts';
import { tellOfAdditions } from './tellOfAdditions.ts';
import { readReplay, withRecord } from './traffic.ts';

/** What a run has to say in it, beside its command line. */
export interface RunHost {
  /** A person is there to decide. */
  readonly interactive: boolean;
  /** A sentence for the person. */
  readonly tell: (sentence: string) => void;
  /** Absolute, the first is where commands run; absent: the workspace of the command line. */
  readonly folders?: readonly string[];
  /** Puts itself in front of the disk. */
  readonly throughFiles?: (disk: FileSystem) => FileSystem;
  /** Puts itself in front of the processes of this machine. */
  readonly throughProcesses?: (own: Processes) => Processes;
  /** Adds to what files configure. */
  readonly withCustomFiles?: (files: CustomFiles) => CustomFiles;
}

export type MadeAgent = Awaited<ReturnType<typeof makeAgent>>;

/** Throws `UsageError` and `SettingsError`. What it starts ends with `dispose`. */
export async function makeAgent(args: HeadlessArguments, host: RunHost) {
  const { interactive, tell } = host;
  const { env } = process;
  const clock = new SystemClock();
  const processes = new NodeProcesses(env, clock.newId());
  const home = findHome();
  if (home === undefined) throw noHome();
  // Grows when a command of the run adds one.
  const folders = [...(host.folders ?? [args.workspace])];
  const isTrusted = await mayTrust(args, folders, home, tell);
  const trusted = () => isTrusted;
  const documents = new NodeSettingsDocuments();
  const consent = new Consent(seenItems(args, home), trusted);
  const customFiles = new NodeCustomFiles({ home, folders: () => folders }, documents);
  const additions = new Additions({
    files: host.withCustomFiles?.(customFiles) ?? customFiles,
    consent,
    disabled: () => settings.get('disabled'),
    extensionValues: { variables: new NodeExtensionVariables(), secrets: new PassingSecrets() },
  });
  const settings = await readSettings(args, home, tell);
  additions.all.onDidChange(() => settings.setWorkspace(additions.settings));
  await additions.refresh();
  tellOfAdditions(additions, tell);
  const store = new NodeSessionStore(sessionFolder(args, home));
  const secrets = new EnvironmentSecrets(env);
  const name = settings.get('provider');
  if (name === 'vscode')
    throw new UsageError("VS Code's own models need a window. Choose another provider with --provider.");
  const facts = providers[name];
  const chosen = chosenProvider({
    provider: () => name,
    apiKey: async provider => {
      const { secret } = providers[provider];
      return secret && secrets.read(secret);
    },
    baseUrl: provider => addressOf(provider, settings, env),
    newId: () => clock.newId(),
    contextLimit: () => settings.get('openai.contextLimit'),
    vertex: vertexPlace(settings, env),
  });
  const provider =
    args.replay === undefined ? await withRecord(chosen, args, tell) : await readReplay(args.replay);
  // How much fits into a request of the others' models is known without asking.
  const chosenModel = { name: settings.get('model'), isChosen: settings.isSet('model') };
  const listed = name === 'openai' || !isKnownModel(name, chosenModel.name) ? await readModels(provider) : [];
  const ids = listed.map(({ id }) => id);
  const resolve = (wanted: string) =>
    resolveModel(name, { name: wanted, isChosen: chosenModel.isChosen || wanted !== chosenModel.name }, ids);
  tellOfUnlisted(resolve(chosenModel.name), listed, tell);
  const disk = new NodeFileSystem();
  const files = host.throughFiles?.(disk) ?? disk;
  const hooks = makeHooks(args, { home, folders, documents, consent, additions, tell });
  const log = new ConsoleLog('error');
  const contextLimit = (model: string) =>
    listed.find(({ id }) => id === model)?.contextLimit ??
    facts.contextLimit(model, settings.get('openai.contextLimit'));
  const { serverStartMs: longestStartMs } = args;
  const servers = new RunServers({
    additions,
    folders,
    home,
    env,
    trusted,
    longestStartMs,
    clock,
    log,
    tell,
    interactive,
  });
  const agent = assembleAgent({
    log,
    contextLimit,
    tell,
    moreTools: [() => servers.tools()],
    servers: () => servers.present,
    trustedServers: () => servers.present?.trusted ?? [],
    clock,
    settings,
    home,
    env,
    files,
    folders,
    trusted,
    hooks,
    additions,
    processes: host.throughProcesses?.(processes) ?? processes,
    search: new NodeSearch(),
    http: lazyHttp(),
    editor: noEditor,
    diagnostics: ({ policy, shellParser }) =>
      fileChecks(files, [
        syntaxCheck({ files, shellParser }),
        new CommandCheck({
          files,
          processes,
          clock,
          policy,
          folders,
          tell,
          commands: () => settings.get('checkCommand'),
          platform: process.platform,
        }),
      ]),
    store,
    blobs: new NodeBlobStore(join(sessionFolder(args, home), 'blobs')),
    versionControl: new GitFiles(),
    workingDiff: new GitDiff(),
    workbench: noWorkbench,
    policyFiles: policyFilesWith(
      additions,
      { home, folders: () => folders, files: args.policyFiles, settingsFile: args.settingsFile },
      documents,
    ),
    consent,
    provider: () => provider,
    searchesWeb: () => facts.searchesWeb,
    ownModels: auto => facts.ownModels?.(auto),
    resolveModel: resolve,
    costOf: facts.costOf,
    interactive,
    platform: process.platform,
  });
  return {
    agent,
    files,
    provider: name,
    workspace: args.workspace,
    /** For the rest of the run; gives a sentence when the person does not trust one of them. */
    addFolders: async (added: readonly string[]): Promise<string | undefined> => {
      const distrust = isTrusted && !args.allSeen ? await findDistrust(added, { home, env }) : undefined;
      if (distrust) return `Nothing was added. ${distrust.sentence}`;
      folders.push(...added);
      return undefined;
    },
    hooks,
    additions,
    /** For commands that change what is installed. */
    extensions: async () => {
      const { NodeExtensionFolders } = await import('../node/extensionFolders/nodeExtensionFolders.ts');
      return { folders: new NodeExtensionFolders(home, processes), additions, home };
    },
    servers,
    /** For commands that change what servers are configured. */
    serverAccess: async () => {
      const { serverAccess } = await import('../compose/serverAccess.ts');
      return serverAccess({
        files,
        env,
        home,
        clock,
        log,
        folders: () => folders,
        all: additions.all,
        servers: () => servers.present,
        version: 'headless',
        shorten: path => path,
      });
    },
    trusted: isTrusted,
    contextLimit,
    /** What the provider offers; empty when that cannot be told. */
    listModels: () => readModels(provider),
    /** There are models to choose from by itself. */
    hasAuto: facts.ownModels !== undefined,
    models: { list: [...facts.knownModels, ...listed], resolve },
    place: memoryPlace({ settings, home, folders, trusted, additions }),
    /** Resolves when no process of the run is left. */
    dispose: async () => {
      await Promise.all([processes.dispose(), hooks.processes.dispose(), servers.stop()]);
    },
  };
}

/** The command line has the last word, then what the person keeps of folders for other programs, too. */
async function mayTrust(
  { trusted, allSeen: isVouchedFor }: HeadlessArguments,
  folders: readonly string[],
  home: string,
  tell: RunHost['tell'],
): Promise<boolean> {
  if (!trusted || isVouchedFor) return trusted;
  const distrust = await findDistrust(folders, { home, env: process.env });
  if (distrust) tell(`${distrust.sentence} If you trust the workspace, say so there or run with --trusted.`);
  return distrust === undefined;
}

/** The sessions on the disk, without an agent. */
export function openCatalog(args: HeadlessArguments): SessionCatalog {
  const home = findHome();
  if (home === undefined) throw noHome();
  const store = new NodeSessionStore(sessionFolder(args, home));
  return new SessionCatalog({ store, clock: new SystemClock(), log: new ConsoleLog('error') });
}

function sessionFolder({ sessionDir }: HeadlessArguments, home: string): string {
  return sessionDir ?? join(home, '.folio', 'sessions');
}

function noHome(): UsageError {
  return new UsageError('There is no home folder. Set HOME to one.');
}

/** No question is needed to know that the provider has it. */
function isKnownModel(provider: ProviderName, model: string): boolean {
  const { resolve, knownModels } = providers[provider];
  const id = resolve(model, []);
  return id === autoModel || knownModels.some(known => known.id === id);
}

/** Lists are seldom complete, so the run goes on with it. What follows a colon is a variant, which few lists name. */
function tellOfUnlisted(id: string, listed: readonly ModelInfo[], tell: RunHost['tell']): void {
  const base = (name: string) => name.split(':')[0];
  if (id === autoModel || listed.length === 0 || listed.some(each => base(each.id) === base(id))) return;
  const near = nearestNames(
    id,
    listed.map(each => each.id),
  );
  tell(describeUnlisted({ kind: 'unlisted', id, near }));
}

/** A server's list alone says how much fits into a request. Without one the settings do. */
async function readModels(provider: ModelProvider): Promise<readonly ModelInfo[]> {
  try {
    return await provider.listModels(AbortSignal.timeout(5000));
  } catch {
    // What is wrong with the server, the first request will tell.
    return [];
  }
}

/** What a person has let count in a window counts here; or they vouch for all that the workspace brings. */
function seenItems({ allSeen: isAll }: Pick<HeadlessArguments, 'allSeen'>, home: string): SeenItems {
  return isAll ? allSeen : new SeenFile(join(home, '.folio', 'seen.txt'));
}

interface HookPlace extends Pick<RunHost, 'tell'> {
  readonly home: string;
  readonly folders: readonly string[];
  readonly documents: SettingsDocuments;
  readonly consent: Consent;
  readonly additions: Additions;
}

/** Those of the person run; those of the workspace when they were let run in a window, or are vouched for. */
function makeHooks(
  { settingsFile }: Pick<HeadlessArguments, 'settingsFile'>,
  { home, folders, documents, consent, additions, tell }: HookPlace,
): Hooks {
  const person = [
    ...(settingsFile === undefined ? [] : [settingsFile]),
    ...['.gemini', '.claude'].map(name => join(home, name, 'settings.json')),
  ];
  const hooks = new Hooks({
    files: new NodeHookFiles(
      { person, folders: () => folders, ...hookExtensions(async () => additions) },
      documents,
    ),
    processes: new NodeHookProcesses(process.env),
    consent,
    tell,
  });
  let told = '';
  consent.onDidChange(() => {
    const waiting = [...consent.unseen].flatMap(([id, { kind }]) => (kind === 'hook' ? [id] : []));
    if (waiting.join() === told) return;
    told = waiting.join();
    if (waiting.length > 0)
      tell(
        `${plural(waiting.length, 'hook')} of the workspace did not run. Look at .gemini/settings.json, then run with --trusted.`,
      );
  });
  return hooks;
}

async function readSettings(
  args: HeadlessArguments,
  home: string,
  warn: RunHost['tell'],
): Promise<FileSettings> {
  return await readFileSettings({
    homeFile: join(home, '.gemini', 'settings.json'),
    settingsFile: args.settingsFile,
    overrides: {
      provider: args.provider,
      model: args.model,
      approvalMode: args.mode,
      baseUrl: args.baseUrl || process.env.GOOGLE_GEMINI_BASE_URL || undefined,
      'openai.baseUrl': args.baseUrl || process.env.OPENAI_BASE_URL || undefined,
      'vertex.baseUrl': args.baseUrl || process.env.GOOGLE_VERTEX_BASE_URL || undefined,
    },
    warn,
  });
}
