import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import {
  type AgentCapabilities,
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type McpServer,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type ResumeSessionRequest,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk';
import type { IsolatedPlace } from '../../../protocol/worktree.ts';
import { messageOf } from '../../base/errors.ts';
import type { SessionCatalog } from '../../core/recording/sessionCatalog.ts';
import type { Session } from '../../core/session/session.ts';
import { ProgramFinder } from '../../node/processes/programs.ts';
import { SettingsError } from '../../node/settings/fileSettings.ts';
import { SystemClock } from '../../node/systemClock.ts';
import type { CustomFile, CustomFiles } from '../../platform/customizations/customFiles.ts';
import { type HeadlessArguments, UsageError } from '../arguments.ts';
import { openEarlierSession } from '../earlierSession.ts';
import { type HeadlessAgent, openHeadlessAgent } from '../headlessAgent.ts';
import { openCatalog, type RunOptions, type SessionMover } from '../runPlace.ts';
import { AcpSession, type SessionRequest } from './acpSession.ts';
import { assertModelAvailable, authenticate, authMethods } from './authentication.ts';
import { ClientFiles } from './clientFiles.ts';
import { ClientProcesses } from './clientProcesses.ts';
import { SessionClient } from './sessionClient.ts';

/** Time limit for memory proposals, because clients wait for the end of a session. The rest is reviewed next time. */
const reviewMs = 10_000;

const capabilities: AgentCapabilities = {
  loadSession: true,
  auth: { logout: {} },
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
};

/** The sessions of one connection. */
export class AcpSessions {
  private readonly args: HeadlessArguments;
  private readonly notify: (sentence: string) => void;
  private readonly sessions = new Map<string, AcpSession>();
  private readonly opening = new Set<Promise<unknown>>();
  /** Sessions that are being reopened in another place, by id. */
  private readonly moving = new Map<string, Promise<unknown>>();
  private readonly ended = new AbortController();
  private client: ClientCapabilities = {};

  constructor(args: HeadlessArguments, notify: (sentence: string) => void) {
    this.args = args;
    this.notify = notify;
  }

  initialize({ clientCapabilities = {} }: InitializeRequest): InitializeResponse {
    this.client = clientCapabilities;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: capabilities,
      agentInfo: { name: 'folio', title: 'Folio', version: process.env.FOLIO_VERSION ?? 'unbuilt' },
      authMethods: authMethods(clientCapabilities),
    };
  }

  /** Changes no state: a key applies as soon as it exists. */
  async authenticate(methodId: string): Promise<void> {
    await authenticate(this.args, methodId, this.notify).catch(toRequestError);
  }

  async begin(request: NewSessionRequest, context: AgentContext): Promise<NewSessionResponse> {
    const session = await this.open(request, context, async ({ agent, place }) => {
      await assertModelAvailable(this.args, place, this.notify);
      return agent.newSession();
    });
    return { sessionId: session.id, ...(await session.readOptions()) };
  }

  async load(request: LoadSessionRequest, context: AgentContext): Promise<LoadSessionResponse> {
    const session = await this.openAgain(request, context);
    session.reportHistory();
    return await session.readOptions();
  }

  /** Like `load`, for a client that already has the history. */
  async resume(request: ResumeSessionRequest, context: AgentContext): Promise<LoadSessionResponse> {
    const session = await this.openAgain(request, context);
    return await session.readOptions();
  }

  list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    return listSessions(openCatalog(this.args), request);
  }

  /** Throws a protocol error if the session is not open here. */
  find(sessionId: string): AcpSession {
    const session = this.sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  async prompt(
    sessionId: string,
    blocks: readonly ContentBlock[],
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const session = this.find(sessionId);
    try {
      return await session.prompt(blocks, signal);
    } finally {
      await this.follow(session);
    }
  }

  async setOption(
    sessionId: string,
    option: { readonly id: string; readonly value: unknown },
    signal: AbortSignal,
  ): Promise<readonly SessionConfigOption[]> {
    const session = this.find(sessionId);
    let present = session;
    try {
      await session.setOption(option.id, option.value, signal);
    } finally {
      present = await this.follow(session);
    }
    return present.options();
  }

  async close(sessionId: string): Promise<void> {
    await this.moving.get(sessionId);
    await this.find(sessionId).reviewSessions(AbortSignal.timeout(reviewMs));
    await this.end(sessionId);
  }

  /** Moves the session to the trash, where it stays for a week. */
  async remove(sessionId: string): Promise<void> {
    await this.moving.get(sessionId);
    await this.end(sessionId);
    await openCatalog(this.args)
      .remove(sessionId)
      .catch((error: unknown) => {
        throw RequestError.invalidParams(undefined, messageOf(error));
      });
  }

  /** Resolves when nothing runs. @param interrupted aborts when the process must end at once */
  async dispose(interrupted: AbortSignal): Promise<void> {
    this.ended.abort();
    await Promise.allSettled([...this.opening, ...this.moving.values()]);
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    const limit = AbortSignal.any([interrupted, AbortSignal.timeout(reviewMs)]);
    await Promise.allSettled(
      sessions.map(async session => {
        await session.reviewSessions(limit);
        await session.close();
      }),
    );
  }

  private async end(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    this.sessions.delete(sessionId);
    await session?.close();
  }

  /** Reopens a session in its new place, and sets the place up. */
  private async follow(session: AcpSession): Promise<AcpSession> {
    const { movement, id } = session;
    if (!movement || this.sessions.get(id) !== session) return session;
    const moving = this.reopen(session, movement.place);
    this.moving.set(id, moving);
    const again = await moving.finally(() => this.moving.delete(id));
    if (movement.setUp !== undefined) await again.setUp(movement.setUp);
    return again;
  }

  private async reopen(session: AcpSession, place: IsolatedPlace | undefined): Promise<AcpSession> {
    const { request, client, id: sessionId } = session;
    const again = session.isRecorded
      ? await this.openAgain({ sessionId, ...request }, client.context)
      : await this.beginAgain(session, place);
    await again.readOptions();
    return again;
  }

  private async beginAgain(session: AcpSession, place: IsolatedPlace | undefined): Promise<AcpSession> {
    const { request, client, id, chosen } = session;
    await this.end(id);
    return await this.open(request, client.context, async ({ agent }) => {
      const again = agent.newSession(undefined, { place, sessionId: id });
      again.setMode(chosen.mode);
      again.setModel(chosen.model);
      return again;
    });
  }

  private async openAgain(
    request: SessionRequest & { readonly sessionId: string },
    context: AgentContext,
  ): Promise<AcpSession> {
    const { sessionId, cwd } = request;
    await this.end(sessionId);
    return await this.open(request, context, ({ agent }) =>
      openEarlierSession(agent, sessionId, cwd, () => {}),
    );
  }

  private async open(
    request: SessionRequest,
    context: AgentContext,
    find: (made: HeadlessAgent) => Promise<Session>,
  ): Promise<AcpSession> {
    const opening = this.make(request, new SessionClient(context, this.client), find).catch(toRequestError);
    this.opening.add(opening);
    try {
      const session = await opening;
      // Many clients never close sessions, so opening one reviews the others.
      for (const other of this.sessions.values()) void other.reviewSessions();
      this.sessions.set(session.id, session);
      // Sent after the response, because that tells the client the session's id.
      setImmediate(() => void session.reportCommands());
      return session;
    } finally {
      this.opening.delete(opening);
    }
  }

  private relocationOf(find: () => AcpSession | undefined): SessionMover {
    return {
      moved: place => find()?.move({ place }),
      setUp: setUp => find()?.move({ setUp }),
      isUsed: path => [...this.sessions.values()].some(each => each !== find() && each.worktree === path),
    };
  }

  private async make(
    request: SessionRequest,
    client: SessionClient,
    find: (made: HeadlessAgent) => Promise<Session>,
  ): Promise<AcpSession> {
    const { cwd, additionalDirectories = [] } = request;
    await Promise.all([cwd, ...additionalDirectories].map(expectFolder));
    let opened: AcpSession | undefined;
    const own = hostOf(request, client, this.notify, id => opened?.showTerminal(id));
    const host = { ...own, relocation: this.relocationOf(() => opened) };
    const made = await openHeadlessAgent({ ...this.args, workspace: cwd }, host);
    try {
      await made.servers.start(this.ended.signal);
      const session = await find(made);
      client.begin(session.id);
      opened = new AcpSession(session, made, client, request);
      return opened;
    } catch (error) {
      await made.dispose();
      throw error;
    }
  }
}

/** Uses the client's files and terminals where it offers them. */
function hostOf(
  { cwd, additionalDirectories = [], mcpServers = [] }: SessionRequest,
  client: SessionClient,
  notify: (sentence: string) => void,
  showTerminal: (terminalId: string) => void,
): RunOptions {
  const folders = [cwd, ...additionalDirectories];
  const { fs, terminal } = client.capabilities;
  return {
    interactive: true,
    notify,
    folders,
    throughFiles: disk => (fs ? new ClientFiles(disk, client, folders) : disk),
    throughProcesses: own =>
      terminal
        ? new ClientProcesses(own, new ProgramFinder(() => folders), client, new SystemClock(), showTerminal)
        : own,
    withCustomFiles: files => withClientServers(files, mcpServers),
  };
}

async function expectFolder(path: string): Promise<void> {
  const found = isAbsolute(path) ? await stat(path).catch(() => undefined) : undefined;
  if (!found?.isDirectory())
    throw RequestError.invalidParams(undefined, `${path} is no absolute path of a folder.`);
}

/** Converts an error in settings or request to a user-facing message. */
function toRequestError(error: unknown): never {
  if (error instanceof UsageError || error instanceof SettingsError) {
    throw RequestError.invalidParams(undefined, error.message);
  }
  throw error;
}

const pageSize = 50;

/** Returns one page of the saved sessions, newest first. The cursor is the last session of the previous page. */
async function listSessions(
  catalog: Pick<SessionCatalog, 'placed'>,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const sessions: ListSessionsResponse['sessions'] = [];
  let isBehind = !cursor;
  for await (const { sessionId, changedAt, title, folders } of catalog.placed()) {
    const [first, ...additionalDirectories] = folders;
    if (isBehind && first !== undefined && (!cwd || folders.includes(cwd))) {
      if (sessions.length === pageSize) return { sessions, nextCursor: sessions.at(-1)!.sessionId };
      const updatedAt = new Date(changedAt).toISOString();
      const others = additionalDirectories.length > 0 ? additionalDirectories : undefined;
      sessions.push({ sessionId, cwd: first, additionalDirectories: others, title, updatedAt });
    }
    isBehind ||= sessionId === cursor;
  }
  if (!isBehind) throw RequestError.invalidParams(undefined, 'There is no such page any more: begin again.');
  return { sessions };
}

/** Adds the client's servers, as if the user had a file with them. */
function withClientServers(files: CustomFiles, servers: readonly McpServer[]): CustomFiles {
  if (servers.length === 0) return files;
  const file: CustomFile = {
    kind: 'settings',
    name: 'settings',
    path: 'the client',
    origin: { kind: 'person' },
    text: '',
    content: { mcpServers: Object.fromEntries(servers.map(entryOf)) },
  };
  return {
    // Added last, because the last entry of a name wins: the client chose this one for the session.
    read: async trusted => [...(await files.read(trusted)), file],
    digest: (command, cwd) => files.digest(command, cwd),
  };
}

function entryOf(server: McpServer): readonly [string, object] {
  const { name } = server;
  if (!('type' in server)) {
    const { command, args, env } = server;
    return [name, { command: literal(command), args: args.map(literal), env: pairsOf(env) }];
  }
  const { type, url, headers } = server;
  return [name, { type, url: literal(url), headers: pairsOf(headers) }];
}

function pairsOf(pairs: readonly { readonly name: string; readonly value: string }[]): object {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, literal(value)]));
}

/** Escapes dollar signs, which name variables in files but are literal here. */
function literal(text: string): string {
  return text.replaceAll('$', () => '${:-$}');
}
