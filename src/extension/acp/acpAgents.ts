import { type InitializeResponse, type McpServer, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { t } from '../../protocol/language.ts';
import { abortable } from '../base/abort.ts';
import {
  type ExternalAgent,
  type ExternalAgentLauncher,
  type ExternalClient,
  ExternalFailure,
  type ExternalMcpServer,
  type ExternalSessionRequest,
} from '../core/external/externalAgent.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ServerProcesses } from '../platform/serverProcesses.ts';
import type { ExternalCommandSetting } from '../platform/settings.ts';
import { AcpAgent } from './acpAgent.ts';

/** A package runner may have to download the agent first. */
const startLimitMs = 5 * 60_000;

export interface AcpPorts {
  readonly commands: () => Readonly<Record<string, ExternalCommandSetting>>;
  readonly trusted: () => boolean;
  /** Created for each agent, and ends with it. */
  readonly processes: () => Promise<ServerProcesses>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Agents that run as child processes and speak ACP on standard input and output. */
export class AcpAgents implements ExternalAgentLauncher {
  private readonly ports: AcpPorts;

  constructor(ports: AcpPorts) {
    this.ports = ports;
  }

  async open(
    name: string,
    place: ExternalSessionRequest,
    client: ExternalClient,
    signal: AbortSignal,
  ): Promise<ExternalAgent> {
    const { commands, trusted, clock } = this.ports;
    if (!trusted()) {
      const say = () =>
        t('The workspace is restricted, so {0} is not started. Trust the workspace first.', name);
      throw new ExternalFailure('restricted', say);
    }
    const all = commands();
    const command = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!command) throw notSet(name);
    const cwd = place.folders[0] ?? '';
    const { args = [], env = {} } = command;
    const program = { command: command.command, args, env, cwd };
    const processes = await this.ports.processes();
    const agent = new AcpAgent(name, program, processes, client, this.ports);
    try {
      await abortable(begin(agent, place, clock), signal);
      return agent;
    } catch (error) {
      await agent.close();
      throw error;
    }
  }
}

function notSet(name: string): ExternalFailure {
  const say = () =>
    t(
      'The setting folio.agents.external no longer has an agent {0}. Add it with "Folio: Add Agent…", or start another session.',
      name,
    );
  return new ExternalFailure('missing', say);
}

async function begin(
  agent: AcpAgent,
  { folders, session, servers }: ExternalSessionRequest,
  clock: Clock,
): Promise<void> {
  const [cwd = '', ...also] = folders;
  let hello = await initialized(agent, clock, 'read');
  if (readsAlone(hello)) hello = await initialized(agent, clock, 'alone');
  const { agentCapabilities: can = {}, authMethods = [] } = hello;
  agent.takes = can.promptCapabilities ?? {};
  const mcpServers = servers.flatMap(server => serverFor(server, can.mcpCapabilities ?? {}));
  const where = { cwd, mcpServers, additionalDirectories: [] as string[] };
  if (can.sessionCapabilities?.additionalDirectories) where.additionalDirectories = [...also];
  if (session !== undefined && (await continued(agent, session, where, can))) return;
  const logins = authMethods.map(({ name }) => name);
  const answer = await agent.request(methods.agent.session.new, where, logins);
  agent.begin(answer.sessionId, false, answer);
}

/**
 * Gemini CLI treats any error of its client as fatal, even for a missing file, so it could not create files
 * (google-gemini/gemini-cli issues 9280 and 17588; seen in 0.61.0). Its own read tool never asks the client anyway
 * (29108).
 */
function readsAlone({ agentInfo }: InitializeResponse): boolean {
  return agentInfo?.name === 'gemini-cli';
}

/** Returns nothing for a server that the agent cannot reach. */
function serverFor(
  { name, source }: ExternalMcpServer,
  can: { readonly http?: boolean; readonly sse?: boolean },
): readonly McpServer[] {
  const pairs = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([key, value]) => ({ name: key, value }));
  if (source.kind === 'stdio')
    return [{ name, command: source.command, args: [...source.args], env: pairs(source.env) }];
  return can[source.kind]
    ? [{ type: source.kind, name, url: source.url, headers: pairs(source.headers) }]
    : [];
}

/** Rejects if no response comes in time: the program is another one, or is blocked. */
async function initialized(
  agent: AcpAgent,
  clock: Clock,
  reads: 'read' | 'alone',
): Promise<InitializeResponse> {
  const over = new AbortController();
  const late = async () => {
    await clock.sleep(startLimitMs, over.signal);
    throw new ExternalFailure('start', () =>
      t(
        '{0} did not answer within {1} minutes. Check in a terminal that its command speaks the Agent Client Protocol, then retry.',
        agent.name,
        startLimitMs / 60_000,
      ),
    );
  };
  const answer = agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      fs: { readTextFile: reads === 'read', writeTextFile: true },
      terminal: true,
      session: { configOptions: { boolean: {} } },
    },
    clientInfo: { name: 'folio', version: '1' },
  });
  try {
    return await Promise.race([answer, late()]);
  } finally {
    over.abort();
  }
}

/** Resolves to false if the agent cannot continue sessions, or does not have this one any more. */
async function continued(
  agent: AcpAgent,
  sessionId: string,
  where: { readonly cwd: string; readonly mcpServers: McpServer[]; readonly additionalDirectories: string[] },
  can: {
    readonly loadSession?: boolean;
    readonly sessionCapabilities?: { readonly resume?: unknown } | null;
  },
): Promise<boolean> {
  const { session } = methods.agent;
  const canResume = Boolean(can.sessionCapabilities?.resume);
  if (!canResume && !can.loadSession) return false;
  try {
    const answer = await agent.request(canResume ? session.resume : session.load, { sessionId, ...where });
    agent.begin(sessionId, true, answer);
    return true;
  } catch (error) {
    if (!agent.isRunning) throw error;
    agent.log(`The agent did not continue the session: ${String(error)}`);
    return false;
  }
}
