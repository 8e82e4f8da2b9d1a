/*
 * Problems that language servers report, before and after an edit and on request.
 *
 *   before(a)  opens a in its server, finds the files that use its declarations, and records the problems of all
 *   edit       …
 *   settle(a)  sends the new text, and reads the problems of the same files again
 *
 * A server that publishes problems does so for other files, too. Problems from before a change of the project are not
 * reported after it.
 */

import { abortable } from '../base/abort.ts';
import { messageOf } from '../base/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Diagnostic, DiagnosticReader } from '../platform/diagnostics.ts';
import { LanguageError } from '../platform/languages.ts';
import type { Log } from '../platform/log.ts';
import type { FileProblem } from '../platform/workbench.ts';
import type { ServerProblem } from './answers.ts';
import { requestDocumentSymbols, requestRelated } from './askSymbols.ts';
import { LanguageServerRefusal } from './connection.ts';
import type { RunningServer } from './languageServer.ts';
import type { LanguageServers } from './languageServers.ts';
import { pullProblems, pullsProblems, waitUntilSettled } from './problems.ts';

interface DiagnosticsPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
  /** Absolute, real workspace folders. */
  readonly folders: readonly string[];
  readonly contains: (folder: string, path: string) => boolean;
  /** Display path of a file. */
  readonly show: (path: string) => string;
}

/** Milliseconds that an edit waits before and after it. */
const limitMs = 2_500;
/** Declarations of a file whose users are searched, and users whose problems are read. */
const maxDeclarations = 20;
const maxUsers = 20;

export class ServerDiagnostics implements Pick<DiagnosticReader, 'settle' | 'settleAll'> {
  private readonly servers: LanguageServers;
  private readonly ports: DiagnosticsPorts;
  /** Files that used the declarations of a file before its edit. */
  private readonly users = new Map<string, readonly string[]>();
  /** Last answers of servers that are asked for problems. */
  private readonly known = new Map<string, readonly ServerProblem[]>();

  constructor(servers: LanguageServers, ports: DiagnosticsPorts) {
    this.servers = servers;
    this.ports = ports;
  }

  /**
   * Call before an edit. `undefined` if unknown, so that no problem can be called new. Rejects with the signal's
   * reason.
   */
  async before(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    return await this.inTime(path, signal, async (server, within) => {
      const isThere = (await server.documents.show(path)) !== undefined;
      const isAsked = isThere && pullsProblems(server);
      this.users.set(path, isAsked ? await this.findUsers(server, path, within) : []);
      return isThere ? await this.problemsOf(server, path, within) : [];
    });
  }

  async settle(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    return await this.inTime(path, signal, (server, within) => this.problemsOf(server, path, within));
  }

  async settleAll(signal: AbortSignal): Promise<boolean> {
    const speaking = this.servers.servers.flatMap(({ present }) =>
      present && !pullsProblems(present) ? (present.documents.paths.at(-1) ?? []) : [],
    );
    for (const path of [...this.known.keys(), ...speaking]) {
      if ((await this.settle(path, signal)) !== undefined) continue;
      const server = this.servers.serverOf(path)?.present;
      const isGone = server !== undefined && (await server.documents.textOf(path)) === undefined;
      if (isGone) continue;
      // A server that does not answer about one file must not delay the others.
      this.known.clear();
      return false;
    }
    return true;
  }

  /** Returns `undefined` if no server answers. */
  list(): readonly FileProblem[] | undefined {
    if (!this.servers.isAvailable) return undefined;
    const running = this.servers.servers.flatMap(({ present }) => present ?? []);
    const reported = running.flatMap(({ published }) =>
      published.paths.map(path => [path, published.of(path)] as const),
    );
    const all = new Map([...reported, ...this.known]);
    return [...all].flatMap(([path, problems]) =>
      this.isOwn(path) ? problems.flatMap(problem => toFileProblem(path, problem)) : [],
    );
  }

  /**
   * Returns `undefined` if no server handles the file, or none answered in time. Rejects only with the signal's reason.
   */
  private async inTime<T>(
    path: string,
    signal: AbortSignal,
    work: (server: RunningServer, within: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const server = this.servers.isAvailable ? this.servers.serverOf(path) : undefined;
    if (!server) return undefined;
    const over = new AbortController();
    const stop = this.ports.clock.after(limitMs, () => over.abort(late));
    const within = AbortSignal.any([signal, over.signal]);
    try {
      const working = server.ready('project', within).then(running => work(running, within));
      return await abortable(working, within);
    } catch (error) {
      signal.throwIfAborted();
      const isExpectedError = error instanceof LanguageError || error instanceof LanguageServerRefusal;
      if (!isExpectedError && !over.signal.aborted) throw error;
      this.ports.log.warn(`Problems of ${path} are unknown: ${messageOf(error)}`);
      return undefined;
    } finally {
      stop();
    }
  }

  private async findUsers(
    server: RunningServer,
    path: string,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const symbols = (await requestDocumentSymbols(server, path, signal)) ?? [];
    const declared = symbols.filter(({ container }) => container === '').slice(0, maxDeclarations);
    const found = await Promise.all(
      declared.map(({ at }) => requestRelated(server, at, 'references', signal)),
    );
    const paths = found.flat().map(place => place.path);
    return [...new Set(paths)].filter(each => each !== path && this.isOwn(each)).slice(0, maxUsers);
  }

  /** Returns `undefined` if the server has not reported on the file. */
  private async problemsOf(
    server: RunningServer,
    path: string,
    signal: AbortSignal,
  ): Promise<readonly Diagnostic[] | undefined> {
    if (!pullsProblems(server)) {
      if (!(await waitUntilSettled(server, path, this.ports.clock, signal))) return undefined;
      const { published } = server;
      return published.paths.flatMap(each => this.toDiagnostics(each, published.of(each), path));
    }
    const asked = [path, ...(this.users.get(path) ?? [])];
    for (const each of asked) await this.pullFile(server, each, signal);
    if (!this.known.has(path)) return undefined;
    return asked.flatMap(each => this.toDiagnostics(each, this.known.get(each) ?? [], path));
  }

  private async pullFile(server: RunningServer, path: string, signal: AbortSignal): Promise<void> {
    this.known.delete(path);
    const document = await server.documents.show(path);
    if (!document) return;
    for (const [each, problems] of await pullProblems(server, path, document.uri, signal))
      this.known.set(each, problems);
  }

  private toDiagnostics(
    path: string,
    problems: readonly ServerProblem[],
    asked: string,
  ): readonly Diagnostic[] {
    if (path !== asked && !this.isOwn(path)) return [];
    return problems.flatMap(problem =>
      toFileProblem(path, problem).map(found => ({
        ...found,
        path: path === asked ? undefined : this.ports.show(path),
      })),
    );
  }

  private isOwn(path: string): boolean {
    return this.ports.folders.some(folder => this.ports.contains(folder, path));
  }
}

const late = new LanguageError('The language server did not answer in time.');

/** Hints are not problems. */
function toFileProblem(
  path: string,
  { severity, message, range, source }: ServerProblem,
): readonly FileProblem[] {
  const level = severity ?? 1;
  if (level > 2) return [];
  const line = range.start.line + 1;
  return [{ path, severity: level === 1 ? 'error' : 'warning', line, message, source: source ?? undefined }];
}
