import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import {
  type AgentCapabilities,
  type AgentContext,
  type ClientCapabilities,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import { messageOf } from '../../base/errors.ts';
import type { Agent } from '../../core/session/agent.ts';
import type { Session } from '../../core/session/session.ts';
import { SettingsError } from '../../node/settings/fileSettings.ts';
import { SystemClock } from '../../node/systemClock.ts';
import { type HeadlessArguments, UsageError } from '../arguments.ts';
import { openEarlierSession } from '../earlierSession.ts';
import { makeAgent, openCatalog, type RunHost } from '../makeAgent.ts';
import { AcpSession } from './acpSession.ts';
import { ClientFiles } from './clientFiles.ts';
import { ClientProcesses } from './clientProcesses.ts';
import { withClientServers } from './clientServers.ts';
import { listSessions } from './listSessions.ts';
import { SessionClient } from './sessionClient.ts';

const capabilities: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
};

type SessionRequest = Pick<ResumeSessionRequest, 'cwd' | 'additionalDirectories' | 'mcpServers'>;

/** The sessions of one connection. */
export class AcpSessions {
  private readonly args: HeadlessArguments;
  private readonly tell: (sentence: string) => void;
  private readonly sessions = new Map<string, AcpSession>();
  private readonly opening = new Set<Promise<unknown>>();
  private readonly ended = new AbortController();
  private client: ClientCapabilities = {};

  constructor(args: HeadlessArguments, tell: (sentence: string) => void) {
    this.args = args;
    this.tell = tell;
  }

  initialize({ clientCapabilities = {} }: InitializeRequest): InitializeResponse {
    this.client = clientCapabilities;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: capabilities,
      agentInfo: { name: 'folio', title: 'Folio', version: process.env.FOLIO_VERSION ?? 'unbuilt' },
      authMethods: [],
    };
  }

  async begin(request: NewSessionRequest, context: AgentContext): Promise<NewSessionResponse> {
    const session = await this.open(request, context, async agent => agent.newSession());
    return { sessionId: session.id, ...(await session.readOptions()) };
  }

  async load(request: LoadSessionRequest, context: AgentContext): Promise<LoadSessionResponse> {
    const session = await this.openAgain(request, context);
    session.tellHistory();
    return await session.readOptions();
  }

  /** As `load`, for a client that has the history. */
  async resume(request: ResumeSessionRequest, context: AgentContext): Promise<LoadSessionResponse> {
    const session = await this.openAgain(request, context);
    return await session.readOptions();
  }

  list(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    return listSessions(openCatalog(this.args), request);
  }

  /** Throws an error of the protocol when it is not open here. */
  find(sessionId: string): AcpSession {
    const session = this.sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  async close(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    this.sessions.delete(sessionId);
    await session.close();
  }

  /** Into the trash, where it stays for a week. */
  async remove(sessionId: string): Promise<void> {
    if (this.sessions.has(sessionId)) await this.close(sessionId);
    await openCatalog(this.args)
      .remove(sessionId)
      .catch((error: unknown) => {
        throw RequestError.invalidParams(undefined, messageOf(error));
      });
  }

  /** Resolves when nothing runs any more. */
  async dispose(): Promise<void> {
    this.ended.abort();
    await Promise.allSettled(this.opening);
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.allSettled(sessions.map(session => session.close()));
  }

  private async openAgain(
    request: SessionRequest & { readonly sessionId: string },
    context: AgentContext,
  ): Promise<AcpSession> {
    const { sessionId, cwd } = request;
    if (this.sessions.has(sessionId)) await this.close(sessionId);
    return await this.open(request, context, agent => openEarlierSession(agent, sessionId, cwd, () => {}));
  }

  private async open(
    request: SessionRequest,
    context: AgentContext,
    find: (agent: Agent) => Promise<Session>,
  ): Promise<AcpSession> {
    const opening = this.make(request, new SessionClient(context, this.client), find).catch(toRequestError);
    this.opening.add(opening);
    try {
      const session = await opening;
      this.sessions.set(session.id, session);
      // Behind the answer, by which the client knows the session.
      setImmediate(() => void session.tellCommands());
      return session;
    } finally {
      this.opening.delete(opening);
    }
  }

  private async make(
    request: SessionRequest,
    client: SessionClient,
    find: (agent: Agent) => Promise<Session>,
  ): Promise<AcpSession> {
    const { cwd, additionalDirectories = [], mcpServers = [] } = request;
    const folders = [cwd, ...additionalDirectories];
    await Promise.all(folders.map(expectFolder));
    let showTerminal: (terminalId: string) => void = () => {};
    const { tell, args, ended } = this;
    const host: RunHost = {
      interactive: true,
      tell,
      folders,
      throughFiles: disk => (client.capabilities.fs ? new ClientFiles(disk, client, folders) : disk),
      throughProcesses: own =>
        client.capabilities.terminal
          ? new ClientProcesses(own, client, new SystemClock(), id => showTerminal(id))
          : own,
      withCustomFiles: files => withClientServers(files, mcpServers),
    };
    const made = await makeAgent({ ...args, workspace: cwd }, host);
    try {
      await made.servers.start(ended.signal);
      const session = await find(made.agent);
      client.begin(session.id);
      const opened = new AcpSession(session, made, client, cwd);
      showTerminal = id => opened.showTerminal(id);
      return opened;
    } catch (error) {
      await made.dispose();
      throw error;
    }
  }
}

async function expectFolder(path: string): Promise<void> {
  const found = isAbsolute(path) ? await stat(path).catch(() => undefined) : undefined;
  if (!found?.isDirectory())
    throw RequestError.invalidParams(undefined, `${path} is no absolute path of a folder.`);
}

/** A fault of the settings or of the request becomes a sentence for the person. */
function toRequestError(error: unknown): never {
  if (error instanceof UsageError || error instanceof SettingsError) {
    throw RequestError.invalidParams(undefined, error.message);
  }
  throw error;
}
