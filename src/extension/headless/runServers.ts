/* Servers of a run without a window: they start before its prompt is read, and end with it. */

import type { McpStatus } from '../../protocol/mcp.ts';
import { plainLine, plural } from '../base/text.ts';
import { loadServerTools } from '../compose/serverTools.ts';
import type { Additions } from '../core/customizations/additions.ts';
import type { AnyTool } from '../core/tool.ts';
import type { McpPerson } from '../mcp/connection/person.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import { settleServers } from '../mcp/settleServers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export interface RunServerParts {
  readonly additions: Additions;
  readonly folders: readonly string[];
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly trusted: () => boolean;
  /** How long the prompt waits for servers to start. */
  readonly longestStartMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** A sentence for the person. */
  readonly tell: (sentence: string) => void;
  /** A person is there to decide. */
  readonly interactive: boolean;
}

export class RunServers {
  private readonly parts: RunServerParts;
  private servers: McpServers | undefined;
  private toolsOf: Awaited<ReturnType<typeof loadServerTools>> | undefined;

  constructor(parts: RunServerParts) {
    this.parts = parts;
  }

  /** Undefined while there are none. */
  get present(): McpServers | undefined {
    return this.servers;
  }

  /** Tools of those that run, for one session. */
  tools(): () => readonly AnyTool[] {
    return this.toolsOf?.() ?? (() => []);
  }

  /**
   * Starts what is configured now; what the run itself writes into the configuration starts nothing. Resolves when all
   * have started or it is clear that they do not, after a while, or on an abort.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { additions, trusted, tell } = this.parts;
    if (!trusted()) return;
    await additions.refresh();
    const entries = await additions.readServers();
    const unseen = entries.filter(({ state }) => state === 'waiting').length;
    if (unseen > 0) {
      tell(
        `${plural(unseen, 'server')} of the workspace did not start. Look at what configures them, then let them count in a window or run with --trusted.`,
      );
    }
    if (signal.aborted || !entries.some(({ state }) => state === 'enabled')) return;
    this.toolsOf = await loadServerTools(() => this.servers);
    this.servers = await makeServers(this.parts);
    this.servers.set(entries);
    const { clock, longestStartMs } = this.parts;
    await settleServers(this.servers, clock, longestStartMs, signal);
    if (!signal.aborted) this.tellTroubles(this.servers);
  }

  /** Resolves when no process of theirs is left. */
  async stop(): Promise<void> {
    await this.servers?.stop();
  }

  private tellTroubles(servers: McpServers): void {
    for (const { name, status } of servers.list(path => path)) {
      const trouble = describe(status);
      if (trouble !== undefined) this.parts.tell(`The server ${plainLine(name, 60)} ${trouble}`);
    }
  }
}

async function makeServers({
  additions: { all },
  tell: _tell,
  longestStartMs: _ms,
  folders,
  interactive,
  ...parts
}: RunServerParts) {
  const { McpServers } = await import('../mcp/mcpServers.ts');
  const { NodeMcpProcesses } = await import('../node/processes/mcpProcesses.ts');
  const { PassingSecrets } = await import('../node/passingSecrets.ts');
  const { PersonAtCalls } = await import('../mcp/personAtCalls.ts');
  return new McpServers({
    ...parts,
    version,
    folders: () => folders,
    isCurrent: async name => {
      await all.refresh();
      return all.of('server').some(item => item.name === name && item.origin.kind === 'workspace');
    },
    processes: new NodeMcpProcesses(parts.env),
    secrets: new PassingSecrets(),
    // Without a person servers are told that nobody can be asked.
    person: interactive ? new PersonAtCalls(nobody) : undefined,
    onDidChangeFolders: () => ({ dispose: () => {} }),
  });
}

/** Answers what belongs to no call. */
const nobody: McpPerson = {
  answer: async () => ({ kind: 'cancelled' }),
  open: async () => false,
};

/** What servers are told that they speak to. */
const version = 'headless';

function describe(status: McpStatus): string | undefined {
  switch (status.kind) {
    case 'starting':
      return 'has not started yet; the run goes on without it.';
    case 'retrying':
    case 'failed':
      return `does not run: ${plainLine(status.reason, 500)}`;
    case 'needsSignIn':
      return 'wants you to sign in, which only a window can do. Here give it a token in its "headers".';
    case 'ready':
    case 'waiting':
    case 'disabled':
      return undefined;
  }
}
