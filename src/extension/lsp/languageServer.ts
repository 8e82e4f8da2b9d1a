/*
 * The life cycle of one language server:
 *
 *   idle ── first request ──▶ starting ──▶ running ── its process ends ──▶ idle, at most `maxStarts` times
 *                                  │                                          │
 *                                  └── does not start ──▶ idle                └──▶ given up
 *
 * A request during which the server ends is rejected and not repeated. The next request restarts it.
 */

import { abortable } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import { RateLimitedLog } from '../base/rateLimitedLog.ts';
import { isRecord } from '../base/record.ts';
import { formatQuantity } from '../base/text.ts';
import type { Clock } from '../platform/clock.ts';
import type { FileSystem } from '../platform/fileSystem.ts';
import { findSettingValue } from '../platform/findSetting.ts';
import { LanguageError } from '../platform/languages.ts';
import type { Log } from '../platform/log.ts';
import type { SandboxedProcess } from '../platform/sandbox.ts';
import type { Search } from '../platform/search.ts';
import type { ServerProcesses } from '../platform/serverProcesses.ts';
import { type Capabilities, initializeResultSchema, publishDiagnosticsSchema } from './answers.ts';
import { LanguageServerConnection, type ServerHandlers } from './connection.ts';
import { OpenDocuments } from './openDocuments.ts';
import { toUri } from './places.ts';
import { PublishedProblems } from './publishedProblems.ts';
import { WatchedFiles } from './watchedFiles.ts';

/** A server from the settings, or one that was detected. */
export interface LanguageServerConfig {
  /** Display name. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Makes the sandbox that it must run in; absent if it runs without one. */
  readonly contain?: () => Promise<SandboxedProcess>;
  readonly initializationOptions?: unknown;
  /** Answers to `workspace/configuration`, by section. */
  readonly settings?: unknown;
  /** Returns whether the server handles a file. Takes an absolute path. */
  readonly matches: (path: string) => boolean;
  /** The protocol's language id of its files; by extension if absent. */
  readonly language?: string;
  /** Gets a sentence if the server cannot be used. */
  readonly notify: (sentence: string) => void;
}

interface LanguageServerPorts {
  readonly processes: Pick<ServerProcesses, 'start'>;
  readonly files: Pick<FileSystem, 'readText' | 'readSaved' | 'decode' | 'stat'>;
  readonly search: Pick<Search, 'findFiles'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Absolute, real workspace folders. */
  readonly folders: readonly string[];
  /** Names of folders without code of the project. */
  readonly exclude: () => readonly string[];
}

export interface RunningServer {
  readonly name: string;
  readonly connection: LanguageServerConnection;
  readonly capabilities: Capabilities;
  readonly documents: OpenDocuments;
  readonly published: PublishedProblems;
}

const maxStarts = 4;
/** Milliseconds. A server that indexes the project first may take long. */
const startLimitMs = 60_000;

export class LanguageServer {
  readonly config: LanguageServerConfig;
  readonly watched: WatchedFiles;
  private readonly ports: LanguageServerPorts;
  private readonly stopped = new AbortController();
  private readonly heard = new PublishedProblems();
  private starting: Promise<RunningServer> | undefined;
  private running: RunningServer | undefined;
  private starts = 0;
  private newestProblem = '';

  constructor(config: LanguageServerConfig, ports: LanguageServerPorts) {
    this.config = config;
    this.ports = ports;
    this.watched = new WatchedFiles(ports, config.matches);
  }

  /** True once it has ended as often as allowed. */
  get isGivenUp(): boolean {
    return this.starts >= maxStarts && this.running === undefined && this.starting === undefined;
  }

  /** Undefined while it does not run. */
  get present(): RunningServer | undefined {
    return this.running;
  }

  /**
   * Returns the running server after sending it all changes of open files.
   * @param reach `project`: also changes of other files
   */
  async ready(reach: 'open files' | 'project', signal: AbortSignal): Promise<RunningServer> {
    const server = this.running ?? (await this.start(signal));
    const isChanged = await server.documents.refresh();
    const isElsewhere = reach === 'project' && (await this.watched.refresh(server.connection, signal));
    if (isChanged || isElsewhere) server.published.outdate();
    return server;
  }

  /** Resolves when nothing of it runs. It does not start again. */
  async stop(): Promise<void> {
    this.stopped.abort(new LanguageError('The session has ended.'));
    await this.starting?.catch(() => {});
    await this.running?.connection.stop();
  }

  /** Notifies the user that the server failed on its first use. */
  noteProblem(error: unknown): void {
    if (this.stopped.signal.aborted) return;
    this.newestProblem = messageOf(error);
    this.config.notify(`The language server ${this.config.name} is not used. ${this.newestProblem}`);
  }

  private async start(signal: AbortSignal): Promise<RunningServer> {
    this.stopped.signal.throwIfAborted();
    if (this.isGivenUp) throw this.givenUp();
    // All requests share one start, so cancelling a request does not cancel it.
    this.starting ??= this.launch().finally(() => {
      this.starting = undefined;
    });
    return await abortable(this.starting, signal);
  }

  private async launch(): Promise<RunningServer> {
    this.starts++;
    const { name } = this.config;
    const { clock, log } = this.ports;
    const limitedLog = new RateLimitedLog(clock, line => log.info(`Language server ${name}: ${line}`));
    const connection = await this.connect(line => void limitedLog.add(line));
    try {
      const server = await this.initialize(connection);
      this.running = server;
      void connection.ended.then(reason => this.noteEnd(reason));
      return server;
    } catch (error) {
      await connection.stop();
      throw error;
    }
  }

  private async connect(note: (line: string) => void): Promise<LanguageServerConnection> {
    const { name, command, args, cwd, contain } = this.config;
    const { processes, clock } = this.ports;
    const sandboxed = await contain?.();
    this.stopped.signal.throwIfAborted();
    const process = processes.start({ command, args, cwd, sandboxed, env: {} });
    return new LanguageServerConnection(name, process, clock, this.intents(), note);
  }

  private async initialize(connection: LanguageServerConnection): Promise<RunningServer> {
    const { name, initializationOptions, settings, language } = this.config;
    const { files, folders } = this.ports;
    const params = {
      processId: process.pid,
      clientInfo: { name: 'Folio' },
      rootUri: folders[0] === undefined ? null : toUri(folders[0]),
      workspaceFolders: workspaceFolders(folders),
      capabilities: clientCapabilities,
      initializationOptions,
    };
    const { signal } = this.stopped;
    const { capabilities } = await connection.request(
      'initialize',
      params,
      initializeResultSchema,
      signal,
      startLimitMs,
    );
    if ((capabilities.positionEncoding ?? 'utf-16') !== 'utf-16')
      throw new LanguageError(`The language server ${name} counts columns in a way that nobody asked for.`);
    connection.notify('initialized', {});
    if (settings !== undefined) connection.notify('workspace/didChangeConfiguration', { settings });
    const documents = new OpenDocuments(connection, files, path => language ?? languageIdOf(path));
    this.heard.begin(documents);
    return { name, connection, capabilities, documents, published: this.heard };
  }

  private intents(): ServerHandlers {
    return {
      hear: (method, params) => {
        if (method !== 'textDocument/publishDiagnostics') return;
        const { data } = publishDiagnosticsSchema.safeParse(params);
        if (data) this.heard.hear(data);
      },
      answer: (method, params) => this.answer(method, params),
    };
  }

  /** Answers the few server requests that make sense without a user and an editor. */
  private answer(method: string, params: unknown): unknown {
    switch (method) {
      case 'workspace/configuration':
        return sectionsOf(params).map(section => this.settingsOf(section));
      case 'workspace/workspaceFolders':
        return workspaceFolders(this.ports.folders);
      case 'workspace/applyEdit':
        return { applied: false, failureReason: 'Nobody asked for a change.' };
      case 'window/showDocument':
        return { success: false };
      case 'client/registerCapability':
      case 'client/unregisterCapability':
      case 'window/showMessageRequest':
      case 'window/workDoneProgress/create':
        return null;
      default:
        return method.endsWith('/refresh') ? null : undefined;
    }
  }

  private settingsOf(section: string | undefined): unknown {
    const { settings } = this.config;
    return (section === undefined ? settings : findSettingValue(settings, section)) ?? null;
  }

  private noteEnd(reason: string): void {
    this.running = undefined;
    this.newestProblem = reason;
    if (!this.stopped.signal.aborted)
      this.ports.log.warn(`The language server ${this.config.name} has ended. ${reason}`);
  }

  private givenUp(): LanguageError {
    const times = formatQuantity(this.starts, 'time');
    return new LanguageError(
      `The language server ${this.config.name} has ended ${times} and is not started again. ${this.newestProblem} Use grep_search and read_file.`,
    );
  }
}

function workspaceFolders(folders: readonly string[]) {
  return folders.map(folder => ({ uri: toUri(folder), name: folder.split(/[\\/]/).at(-1) ?? folder }));
}

/** Sections in the order of the request. */
function sectionsOf(params: unknown): readonly (string | undefined)[] {
  const items = isRecord(params) && Array.isArray(params.items) ? params.items : [];
  return items.map(item => (isRecord(item) && typeof item.section === 'string' ? item.section : undefined));
}

/** Returns the protocol's language id of a file by its extension; the extension itself if unknown. */
function languageIdOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return languageIds[ending] ?? ending;
}

const languageIds: Readonly<Record<string, string | undefined>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  rb: 'ruby',
  cs: 'csharp',
  kt: 'kotlin',
  h: 'c',
  cc: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  m: 'objective-c',
  mm: 'objective-cpp',
  sh: 'shellscript',
  ps1: 'powershell',
  ex: 'elixir',
  exs: 'elixir',
  hs: 'haskell',
  yml: 'yaml',
  md: 'markdown',
};

/** Parts of the protocol that Folio uses. Servers omit the rest. */
const clientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    // Without file operations, which nobody would review.
    workspaceEdit: { documentChanges: true, resourceOperations: [], failureHandling: 'abort' },
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    // Folio detects changes itself. A server that registers disables its own watcher.
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: {},
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: {},
    definition: { linkSupport: true },
    typeDefinition: { linkSupport: true },
    implementation: { linkSupport: true },
    callHierarchy: {},
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports'] },
      },
      dataSupport: true,
      disabledSupport: true,
      isPreferredSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    formatting: {},
    publishDiagnostics: { versionSupport: true },
    diagnostic: { relatedDocumentSupport: true },
  },
  window: { workDoneProgress: true },
} as const;
