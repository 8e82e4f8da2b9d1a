/* The environment of a headless run: its folders, its settings and its Node ports. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { IsolatedPlace } from '../../protocol/worktree.ts';
import { messageOf } from '../base/errors.ts';
import type { HostSandbox } from '../compose/agentHost.ts';
import { hostSandbox } from '../compose/hostSandbox.ts';
import { makeDevContainers } from '../compose/workspaceSources.ts';
import { ConsentService } from '../core/consent/consentService.ts';
import { assertModeAllowed } from '../core/policy/allowedModes.ts';
import { SessionCatalog } from '../core/recording/sessionCatalog.ts';
import type { SessionStores } from '../core/session/sessionServices.ts';
import { ConsoleLog } from '../node/consoleLog.ts';
import type { DevContainers } from '../node/containers/devContainers.ts';
import { NodeFileSystem } from '../node/files/nodeFileSystem.ts';
import { syncStatCalls } from '../node/files/statCalls.ts';
import { findHome } from '../node/homeFolder.ts';
import { NodeTransport } from '../node/http/nodeTransport.ts';
import { NodeProcesses } from '../node/processes/nodeProcesses.ts';
import { ProgramFinder } from '../node/processes/programs.ts';
import { NodeBlobStore } from '../node/sessions/nodeBlobStore.ts';
import { NodeSessionStore } from '../node/sessions/nodeSessionStore.ts';
import { type FileSettings, managedFileOf, readFileSettings } from '../node/settings/fileSettings.ts';
import { findIncludedFolders } from '../node/settings/includedFolders.ts';
import { SeenItemsFile } from '../node/settings/seenItemsFile.ts';
import { NodeSettingsDocuments } from '../node/settings/settingsDocuments.ts';
import { findUntrustedReason } from '../node/settings/trustedFolders.ts';
import { SystemClock } from '../node/systemClock.ts';
import { SessionObservers } from '../observers/sessionObservers.ts';
import type { Clock } from '../platform/clock.ts';
import type { CustomFiles } from '../platform/customizations/customFiles.ts';
import type { SeenItems } from '../platform/customizations/seenItems.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import type { Log } from '../platform/log.ts';
import type { Machine } from '../platform/machine.ts';
import type { Processes } from '../platform/processes.ts';
import { readProxyEnvironment } from '../platform/sandbox.ts';
import type { SettingValues } from '../platform/settings.ts';
import type { SettingsDocuments } from '../platform/settingsDocuments.ts';
import { type HeadlessArguments, UsageError } from './arguments.ts';
import { allSeen } from './editorStandIns.ts';

/** Options of a run besides its command line. */
export interface RunOptions {
  /** A user is present to decide. */
  readonly interactive: boolean;
  readonly notify: (sentence: string) => void;
  /** The environment of the requester. Defaults to that of the process. */
  readonly env?: Machine['env'];
  /** Absolute paths; commands run in the first. Defaults to the workspace of the command line. */
  readonly folders?: readonly string[];
  readonly throughFiles?: (disk: FileSystem) => FileSystem;
  /** Wraps the processes of this machine. */
  readonly throughProcesses?: (own: Processes) => Processes;
  readonly withCustomFiles?: (files: CustomFiles) => CustomFiles;
  /** Reopens a session in its new place. Omitted if the run cannot move. */
  readonly relocation?: SessionMover;
}

/** Moves a session into a worktree and back. */
export interface SessionMover {
  /** A session without prompts begins there. @param place omitted for the workspace */
  moved(place: IsolatedPlace | undefined): void;
  /** Sets the command to run after it is open there. */
  setUp(command: string): void;
  /** Returns whether another session works in this worktree (absolute path). */
  isUsed(worktree: string): boolean;
}

export interface HeadlessPorts {
  readonly machine: Machine;
  readonly clock: Clock;
  readonly log: Log;
  /** Grows when a command of the run adds one. */
  readonly folders: string[];
  readonly trusted: () => boolean;
  readonly files: FileSystem;
  readonly processes: NodeProcesses;
  readonly programs: ProgramFinder;
  readonly containers: DevContainers;
  readonly documents: SettingsDocuments;
  readonly consent: ConsentService;
  readonly settings: FileSettings;
  readonly observers: SessionObservers;
}

/** Throws `UsageError` and `SettingsError`. */
export async function makeHeadlessPorts(args: HeadlessArguments, host: RunOptions): Promise<HeadlessPorts> {
  const { platform, env } = { env: process.env, ...host, platform: process.platform };
  const [clock, home, log] = [new SystemClock(), findHome(), new ConsoleLog('error')];
  if (home === undefined) throw noHome();
  const settings = checkMode(args, await readSettings(args, { home, platform, env }, host.notify));
  const given = [...(host.folders ?? [args.workspace]), ...args.include];
  const place = { base: args.workspace, home, warn: host.notify };
  const folders = [...new Set([...given, ...(await findIncludedFolders(settings.included, place))])];
  const isTrusted = await decideTrust(args, folders, { home, env }, host.notify);
  const trusted = () => isTrusted;
  const consent = new ConsentService(seenItems(args, home), trusted);
  return {
    machine: { home, platform, env },
    clock,
    log,
    folders,
    trusted,
    files: filesOf(host),
    ...startersOf(folders, env, clock, consent),
    documents: new NodeSettingsDocuments(),
    consent,
    settings,
    observers: observersOf({ machine: { env, home }, settings, clock, log }),
  };
}

/** Rejects a mode that the organisation forbids, instead of silently using a stricter one. */
function checkMode({ mode }: Pick<HeadlessArguments, 'mode'>, settings: FileSettings): FileSettings {
  try {
    if (mode !== undefined) assertModeAllowed(mode, settings.restrictions?.modes);
    return settings;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function filesOf({ throughFiles }: RunOptions): FileSystem {
  const disk = new NodeFileSystem(syncStatCalls);
  return throughFiles?.(disk) ?? disk;
}

function observersOf(
  ports: Omit<ConstructorParameters<typeof SessionObservers>[0], 'transport' | 'version'>,
): SessionObservers {
  const version = process.env.FOLIO_VERSION ?? 'unbuilt';
  return new SessionObservers({ ...ports, transport: new NodeTransport(), version });
}

/** Finds programs outside of the workspace folders. */
function startersOf(
  folders: readonly string[],
  env: Machine['env'],
  clock: Clock,
  consent: ConsentService,
): Pick<HeadlessPorts, 'processes' | 'programs' | 'containers'> {
  const programs = new ProgramFinder(() => folders, env);
  const containers = makeDevContainers(programs, env, consent);
  return { programs, containers, processes: new NodeProcesses(env, clock.newId(), undefined, programs) };
}

/** The command line takes precedence over the user's list of trusted folders. */
async function decideTrust(
  { trusted, allSeen: isVouchedFor }: HeadlessArguments,
  folders: readonly string[],
  machine: Pick<Machine, 'home' | 'env'>,
  notify: RunOptions['notify'],
): Promise<boolean> {
  if (!trusted || isVouchedFor) return trusted;
  const distrust = await findUntrustedReason(folders, machine);
  if (distrust)
    notify(`${distrust.sentence} If you trust the workspace, say so there or run with --trusted.`);
  return distrust === undefined;
}

/** Adds folders for the rest of the run. Resolves to a message if the user does not trust one of them. */
export async function addFolders(
  added: readonly string[],
  { allSeen: isVouchedFor }: HeadlessArguments,
  { folders, trusted, machine }: HeadlessPorts,
): Promise<string | undefined> {
  const distrust = trusted() && !isVouchedFor ? await findUntrustedReason(added, machine) : undefined;
  if (distrust) return `Nothing was added. ${distrust.sentence}`;
  folders.push(...added);
  return undefined;
}

/** The saved sessions, without an agent. */
export function openCatalog(args: HeadlessArguments): SessionCatalog {
  const home = findHome();
  if (home === undefined) throw noHome();
  const store = new NodeSessionStore(sessionsFolder(args, home));
  return new SessionCatalog({ store, clock: new SystemClock(), log: new ConsoleLog('error') });
}

/** Returns the usage of the saved sessions, summed up as a text. */
export async function formatStatistics(args: HeadlessArguments): Promise<string> {
  const home = findHome();
  if (home === undefined) throw noHome();
  const { readStatistics } = await import('../core/statistics/statisticsIndex.ts');
  const { dayOf, daysUpTo, statisticsCsv, summariseStatistics } = await import(
    '../core/statistics/summarise.ts'
  );
  const store = new NodeSessionStore(sessionsFolder(args, home));
  const read = await readStatistics({ store, log: new ConsoleLog('warn'), dayOf });
  const days = daysUpTo(dayOf(new SystemClock().now()), 0);
  return args.statistics === 'csv'
    ? statisticsCsv(read, days)
    : `${JSON.stringify(summariseStatistics(read, days))}\n`;
}

export function sessionsFolder({ sessionDir }: HeadlessArguments, home: string): string {
  return sessionDir ?? join(home, '.folio', 'sessions');
}

function noHome(): UsageError {
  return new UsageError('There is no home folder. Set HOME to one.');
}

/** Uses what the user approved in a window, or approves everything if the user vouches for the workspace. */
function seenItems({ allSeen: isAll }: Pick<HeadlessArguments, 'allSeen'>, home: string): SeenItems {
  return isAll ? allSeen : SeenItemsFile.ofUser(home);
}

/** A pipe can be read only once, so it is used for the settings only. */
export function rereadableSettingsPath({
  settingsFile: path,
}: Pick<HeadlessArguments, 'settingsFile'>): string | undefined {
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}

async function readSettings(
  args: HeadlessArguments,
  { home, env, platform }: Machine,
  warn: RunOptions['notify'],
): Promise<FileSettings> {
  return await readFileSettings({
    homeFile: join(home, '.gemini', 'settings.json'),
    settingsFile: args.settingsFile,
    managedFile: managedFileOf(platform),
    overrides: {
      provider: args.provider,
      model: args.model,
      effort: args.effort && { '*': args.effort },
      approvalMode: args.mode,
      'audit.path': args.auditFolder,
      sandbox: args.sandbox,
      'agents.external': args.driver?.command && { [args.driver.name]: args.driver.command },
      ...addressesIn(env),
    },
    warn,
  });
}

export function openSandbox(
  { sandboxGrants: grants }: HeadlessArguments,
  { machine, folders, settings }: HeadlessPorts,
): HostSandbox {
  return hostSandbox({
    folders: () => folders,
    home: machine.home,
    platform: machine.platform,
    path: machine.env.PATH,
    instructionNames: () => settings.get('contextFileNames'),
    proxy: () => readProxyEnvironment(machine.env),
    grants,
  });
}

/** Servers from the environment variables of the providers' own programs. */
function addressesIn(env: Machine['env']): Partial<SettingValues> {
  return {
    baseUrl: env.GOOGLE_GEMINI_BASE_URL || undefined,
    'openai.baseUrl': env.OPENAI_BASE_URL || undefined,
    'openaiResponses.baseUrl': env.OPENAI_BASE_URL || undefined,
    'anthropic.baseUrl': env.ANTHROPIC_BASE_URL || undefined,
    'bedrock.baseUrl': env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME || undefined,
    'vertex.baseUrl': env.GOOGLE_VERTEX_BASE_URL || undefined,
  };
}

export function makeHeadlessStorage(sessions: string): SessionStores {
  return {
    sessions: new NodeSessionStore(sessions),
    blobs: new NodeBlobStore(join(sessions, 'blobs')),
  };
}
