/* Language servers of a run without a window, each for its own files. */

import type { Clock } from '../platform/clock.ts';
import type {
  ActionTarget,
  CodeAction,
  CodePosition,
  CodeRange,
  CodeSymbol,
  Languages,
  ProposedEdits,
  SymbolRelation,
} from '../platform/languages.ts';
import { requestDeclaringFiles, requestDocumentSymbols, requestRelated } from './askSymbols.ts';
import { LanguageServerRefusal } from './connection.ts';
import type { LanguageServer, RunningServer } from './languageServer.ts';
import { requestCodeActions } from './requestCodeActions.ts';
import { requestRename } from './requestRename.ts';

interface LanguageServersPorts {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Absolute, real workspace folders. */
  readonly folders: readonly string[];
  readonly contains: (folder: string, path: string) => boolean;
  /** Milliseconds that the first prompt waits for a first answer. Servers continue starting after that. */
  readonly patienceMs: number;
}

/** Files of a name whose outlines are read. */
const maxFiles = 20;
/** Files to open until a server has answered about one. */
const maxProbed = 3;

export class LanguageServers implements Languages {
  readonly servers: readonly LanguageServer[];
  private readonly ports: LanguageServersPorts;
  private readonly answering = new Set<LanguageServer>();
  private readonly ended = new AbortController();
  private probing: Promise<void> | undefined;
  private isIdle = false;
  private isSettled = false;

  /** @param servers the first that handles a file answers */
  constructor(servers: readonly LanguageServer[], ports: LanguageServersPorts) {
    this.servers = servers;
    this.ports = ports;
  }

  get isAvailable(): boolean {
    return this.isSettled;
  }

  /** The first prompt waits a bounded time for servers to start. Later ones use those that are ready. */
  async settle(): Promise<void> {
    const isFirst = this.probing === undefined;
    if (isFirst || (this.isIdle && this.answering.size === 0)) this.probing = this.probe();
    if (isFirst) await Promise.race([this.probing, this.ports.clock.sleep(this.ports.patienceMs)]);
    this.isSettled = [...this.answering].some(server => !server.isGivenUp);
  }

  async outline(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
    return await this.ask(path, 'open files', [], signal, async server => {
      return (await requestDocumentSymbols(server, path, signal)) ?? [];
    });
  }

  async findDeclaringFiles(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const found: string[] = [];
    for (const server of this.answering) {
      const running = await server.ready('project', signal);
      found.push(...(await orNothing([], requestDeclaringFiles(running, name, signal))));
    }
    const { folders, contains } = this.ports;
    const own = found.filter(path => folders.some(folder => contains(folder, path)));
    return [...new Set(own)].slice(0, maxFiles);
  }

  async follow(
    point: CodePosition,
    relation: SymbolRelation,
    signal: AbortSignal,
  ): Promise<readonly CodeRange[]> {
    return await this.ask(point.path, 'project', [], signal, server =>
      requestRelated(server, point, relation, signal),
    );
  }

  async rename(point: CodePosition, newName: string, signal: AbortSignal): Promise<ProposedEdits> {
    const none: ProposedEdits = { kind: 'refused', reason: 'No language server knows this file.' };
    return await this.ask(point.path, 'project', none, signal, server =>
      requestRename(server, point, newName, signal),
    );
  }

  async offer(place: ActionTarget, signal: AbortSignal): Promise<readonly CodeAction[]> {
    return await this.ask(place.path, 'project', [], signal, server =>
      requestCodeActions(server, place, signal),
    );
  }

  /** Returns `undefined` if no server handles the file, or it has not answered yet. */
  serverOf(path: string): LanguageServer | undefined {
    const server = this.servers.find(({ config }) => config.matches(path));
    return server && this.answering.has(server) ? server : undefined;
  }

  /** Resolves when none of their processes is left. */
  async stop(): Promise<void> {
    this.ended.abort();
    await Promise.all(this.servers.map(server => server.stop()));
    await this.probing;
  }

  private async ask<T>(
    path: string,
    reach: 'open files' | 'project',
    nothing: T,
    signal: AbortSignal,
    question: (server: RunningServer) => Promise<T>,
  ): Promise<T> {
    const server = this.serverOf(path);
    if (!server) return nothing;
    return await orNothing(nothing, question(await server.ready(reach, signal)));
  }

  /** Never rejects. */
  private async probe(): Promise<void> {
    this.isIdle = false;
    await Promise.all(this.servers.map(server => this.probeServer(server)));
    this.isIdle = true;
  }

  /** Never rejects: a server that fails its first request is not offered. */
  private async probeServer(server: LanguageServer): Promise<void> {
    const { signal } = this.ended;
    try {
      await server.watched.refresh(undefined, signal);
      const paths = server.watched.paths.filter(path => server.config.matches(path)).slice(0, maxProbed);
      for (const path of paths) {
        const running = await server.ready('open files', signal);
        if ((await requestDocumentSymbols(running, path, signal)) === undefined) continue;
        this.answering.add(server);
        return;
      }
    } catch (error) {
      server.noteProblem(error);
    }
  }
}

/** Returns `nothing` if the server does not support or refuses the request. */
async function orNothing<T>(nothing: T, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof LanguageServerRefusal) return nothing;
    throw error;
  }
}
