/*
 * Language servers of a headless run. Loads and starts nothing until a prompt finds files that a server handles.
 * `node/languages` finds the servers and `lsp` communicates with them. This file decides which may run, as documented
 * in docs/security.md.
 */

import { relative, resolve } from 'node:path';
import { withFolderName } from '../../protocol/words/folderNames.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import type { HostSandbox } from '../compose/agentHost.ts';
import { fingerprintOf } from '../core/consent/fingerprint.ts';
import { folderContains, formatPathIn } from '../core/folderPaths.ts';
import type { LanguageServer, LanguageServerConfig } from '../lsp/languageServer.ts';
import type { LanguageServers } from '../lsp/languageServers.ts';
import type { ServerDiagnostics } from '../lsp/serverDiagnostics.ts';
import type { FoundLanguageServer } from '../node/languages/findLanguageServers.ts';
import { readSandboxEntry } from '../platform/customizations/sandboxEntry.ts';
import type { DiagnosticReader } from '../platform/diagnostics.ts';
import type { ActionTarget, CodePosition, Languages, SymbolRelation } from '../platform/languages.ts';
import type { ProgramGrants } from '../platform/sandbox.ts';
import type { Search } from '../platform/search.ts';
import type { ServerProcesses } from '../platform/serverProcesses.ts';
import type { FileProblem } from '../platform/workbench.ts';
import type { LanguageServerEntry } from './languageServerEntry.ts';
import type { HeadlessPorts, RunOptions } from './runPlace.ts';

/** Matches absolute paths. */
type Filter = (path: string) => boolean;

/** The servers found by the first prompt. */
interface Found {
  readonly languages: LanguageServers;
  readonly diagnostics: ServerDiagnostics;
  readonly processes: ServerProcesses;
}

export class HeadlessLanguages implements Languages {
  private readonly place: HeadlessPorts;
  private readonly sandbox: HostSandbox;
  private readonly search: Search;
  private readonly patienceMs: number;
  private readonly notify: RunOptions['notify'];
  private finding: { readonly folders: number; readonly done: Promise<Found | undefined> } | undefined;
  private found: Found | undefined;
  private isStopped = false;

  /** @param patienceMs how long the first prompt waits for a server's first answer */
  constructor(
    place: HeadlessPorts,
    sandbox: HostSandbox,
    search: Search,
    patienceMs: number,
    notify: RunOptions['notify'],
  ) {
    this.place = place;
    this.sandbox = sandbox;
    this.search = search;
    this.patienceMs = patienceMs;
    this.notify = notify;
  }

  get isAvailable(): boolean {
    return this.found?.languages.isAvailable ?? false;
  }

  async settle(): Promise<void> {
    // A program may read settings from its folder, so in an untrusted workspace not even the user's own starts.
    if (!this.place.trusted() || this.isStopped) return;
    const { length } = this.place.folders;
    if (this.finding?.folders !== length) {
      // A server knows only the folders that it started with.
      await this.end();
      const usable = await this.findUsable();
      // Meanwhile the run may have ended, or another prompt may have found them.
      if (this.isStopped) return;
      if (this.finding?.folders !== length)
        this.finding = usable && { folders: length, done: this.findAll(usable) };
    }
    this.found = await this.finding?.done;
    await this.found?.languages.settle();
  }

  outline = async (path: string, signal: AbortSignal) =>
    (await this.found?.languages.outline(path, signal)) ?? [];

  findDeclaringFiles = async (name: string, signal: AbortSignal) =>
    (await this.found?.languages.findDeclaringFiles(name, signal)) ?? [];

  follow = async (point: CodePosition, relation: SymbolRelation, signal: AbortSignal) =>
    (await this.found?.languages.follow(point, relation, signal)) ?? [];

  rename = async (point: CodePosition, newName: string, signal: AbortSignal) =>
    (await this.found?.languages.rename(point, newName, signal)) ?? noServer;

  offer = async (place: ActionTarget, signal: AbortSignal) =>
    (await this.found?.languages.offer(place, signal)) ?? [];

  /** For tools that need diagnostics. */
  readonly problems: Pick<DiagnosticReader, 'settle' | 'settleAll'> = {
    settle: async (path, signal) => await this.found?.diagnostics.settle(path, signal),
    settleAll: async signal => (await this.found?.diagnostics.settleAll(signal)) ?? true,
  };

  /** Problems before an edit. `undefined` if unknown. */
  async problemsBefore(path: string, signal: AbortSignal) {
    return await this.found?.diagnostics.before(path, signal);
  }

  /** Returns `undefined` if no server answers. */
  listProblems(): readonly FileProblem[] | undefined {
    return this.found?.diagnostics.list();
  }

  /** Resolves when no process of theirs is left. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.end();
  }

  private async end(): Promise<void> {
    const found = await this.finding?.done;
    this.found = undefined;
    await found?.languages.stop();
    await found?.processes.dispose();
  }

  /**
   * Returns the installed servers if some file may belong to one of them or to a configured one. Without any server it
   * lists no files, because that would start a process for each prompt.
   */
  private async findUsable(): Promise<readonly FoundLanguageServer[] | undefined> {
    const { folders, machine, settings } = this.place;
    const { findLanguageServers } = await import('../node/languages/findLanguageServers.ts');
    const found = await findLanguageServers({ folders, path: machine.env.PATH });
    const globs = [...Object.keys(settings.get('languageServers')), ...found.map(({ glob }) => glob)];
    return globs.length > 0 && (await this.hasFiles(globs)) ? found : undefined;
  }

  private async hasFiles(globs: readonly string[]): Promise<boolean> {
    const { folders, settings } = this.place;
    const { signal } = new AbortController();
    const exclude = settings.get('ignoredFolders');
    const query = { pattern: '**/*', respectGitIgnore: true, respectGeminiIgnore: false, exclude };
    const listed = await Promise.allSettled(
      folders.map(folder => this.search.findFiles({ folder, ...query }, signal)),
    );
    // Ignores folders that cannot be searched.
    const paths = listed.flatMap(each => (each.status === 'fulfilled' ? each.value.paths : []));
    if (paths.length === 0) return false;
    const filters = await Promise.all(globs.map(glob => this.filterOf(glob)));
    return paths.some(path => filters.some(matches => matches(path)));
  }

  /** Resolves to `undefined` if no server may run. */
  private async findAll(usable: readonly FoundLanguageServer[]): Promise<Found | undefined> {
    const configs = await this.configure(usable);
    if (configs.length === 0) return undefined;
    const { LanguageServer } = await import('../lsp/languageServer.ts');
    const { LanguageServers } = await import('../lsp/languageServers.ts');
    const { ServerDiagnostics } = await import('../lsp/serverDiagnostics.ts');
    const { NodeServerProcesses } = await import('../node/processes/serverProcesses.ts');
    const { clock, files, log, machine, programs, settings } = this.place;
    const processes = new NodeServerProcesses(machine.env, programs);
    const folders = await this.realFolders();
    const exclude = () => settings.get('ignoredFolders');
    const ports = { clock, files, log, processes, folders, exclude, search: this.search };
    const servers: readonly LanguageServer[] = configs.map(config => new LanguageServer(config, ports));
    const shared = { clock, folders, contains: folderContains };
    const languages = new LanguageServers(servers, { ...shared, patienceMs: this.patienceMs });
    const show = (path: string) => withFolderName(formatPathIn(folders[0], path), folders);
    const diagnostics = new ServerDiagnostics(languages, { ...shared, log, show });
    return { languages, diagnostics, processes };
  }

  /** Configured servers come first. Detected servers handle only files that the settings do not mention. */
  private async configure(found: readonly FoundLanguageServer[]): Promise<readonly LanguageServerConfig[]> {
    const setting = this.place.settings.get('languageServers');
    const filters = await Promise.all(Object.keys(setting).map(glob => this.filterOf(glob)));
    const configs = await this.namedConfigs(setting, filters);
    const isNamed = (path: string) => filters.some(matches => matches(path));
    const taken = new Set<string>();
    for (const server of found) {
      const sandboxed = taken.has(server.glob) ? undefined : await this.allowedSandboxing(server);
      if (!sandboxed) continue;
      taken.add(server.glob);
      const fits = await this.filterOf(server.glob);
      configs.push(this.foundConfig(server, sandboxed, path => fits(path) && !isNamed(path)));
    }
    return configs;
  }

  /** Earlier globs win. Equal entries share one server. */
  private async namedConfigs(
    setting: Readonly<Record<string, unknown>>,
    filters: readonly Filter[],
  ): Promise<LanguageServerConfig[]> {
    if (filters.length === 0) return [];
    const { parseLanguageServerEntry } = await import('./languageServerEntry.ts');
    const configs = new Map<string, LanguageServerConfig>();
    for (const [index, [glob, value]] of Object.entries(setting).entries()) {
      const entry = parseLanguageServerEntry(value);
      if (typeof entry === 'string')
        this.notify(`The entry "${glob}" of folio.languageServers is not used: ${entry}.`);
      if (typeof entry === 'string' || entry === false) continue;
      const isEarlier: Filter = path => filters.slice(0, index).some(matches => matches(path));
      const matches: Filter = path => (filters[index]?.(path) ?? false) && !isEarlier(path);
      const key = canonicalJson(entry);
      const same = configs.get(key);
      configs.set(
        key,
        this.named(entry, path => matches(path) || (same?.matches(path) ?? false)),
      );
    }
    return [...configs.values()];
  }

  private async filterOf(glob: string): Promise<Filter> {
    const { loadGlobFilter } = await import('../node/search/globs.ts');
    const [matches, folders] = await Promise.all([loadGlobFilter(glob), this.realFolders()]);
    const inside = (folder: string, path: string) => relative(folder, path).replaceAll('\\', '/');
    return path => folders.some(folder => folderContains(folder, path) && matches(inside(folder, path)));
  }

  /**
   * Returns whether the server runs in the sandbox; `undefined`: not at all. The user's own program may run in a
   * trusted workspace. One that executes workspace code runs only if the user vouches for the workspace, or in the
   * sandbox, where commands run without confirmation as well.
   */
  private async allowedSandboxing(server: FoundLanguageServer): Promise<'none' | 'sandbox' | undefined> {
    if (!server.runsWorkspace) return 'none';
    const { settings, consent, folders } = this.place;
    if (settings.get('sandbox') === 'on' && (await this.sandbox.whyMissing()) === undefined) return 'sandbox';
    const { command, args } = server;
    const { digestScripts } = await import('../node/customizations/scriptDigest.ts');
    const scripts = await digestScripts([command, ...args].join('\n'), folders);
    const fingerprint = fingerprintOf('languageServer', canonicalJson({ command, args, scripts }));
    return (await consent.stateOf(fingerprint)) === 'enabled' ? 'none' : undefined;
  }

  private named(entry: LanguageServerEntry, matches: Filter): LanguageServerConfig {
    const { command, args, language, initializationOptions, settings, sandbox } = entry;
    const [cwd = ''] = this.place.folders;
    const grants = readSandboxEntry(sandbox);
    return {
      name: command,
      command: /[\\/]/.test(command) ? resolve(cwd, command) : command,
      args,
      cwd,
      initializationOptions,
      settings,
      matches,
      contain: grants && (() => this.contain(grants)),
      language,
      notify: this.notify,
    };
  }

  private foundConfig(
    { name, command, args, initializationOptions, settings }: FoundLanguageServer,
    sandboxed: 'none' | 'sandbox',
    matches: Filter,
  ): LanguageServerConfig {
    const [cwd = ''] = this.place.folders;
    const { log } = this.place;
    return {
      name,
      command,
      args,
      cwd,
      initializationOptions,
      settings,
      matches,
      // Its executable may be outside of the folders that the sandbox can read.
      contain:
        sandboxed === 'sandbox' ? () => this.contain({ read: [command], write: [], hosts: [] }) : undefined,
      // Detected servers log, because the user did not configure them.
      notify: sentence => log.info(sentence),
    };
  }

  private async contain(grants: ProgramGrants) {
    const [cwd = ''] = this.place.folders;
    return await this.sandbox.sandboxProgram({ grants, cwd, lasting: true });
  }

  private realFolders(): Promise<readonly string[]> {
    const { files, folders } = this.place;
    return Promise.all(folders.map(folder => files.realPath(folder)));
  }
}

const noServer = { kind: 'refused', reason: 'No language server answers.' } as const;
