/* MCP servers of a headless run. They start before its prompt is read, and end with it. */

import type { McpStatus } from '../../protocol/panel/mcp.ts';
import { formatQuantity, sanitiseLine } from '../base/text.ts';
import { loadServerTools } from '../compose/serverTools.ts';
import type { LoadedCustomizations } from '../core/customizations/loadedCustomizations.ts';
import type { AnyTool } from '../core/tool.ts';
import type { McpUser } from '../mcp/connection/mcpUser.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import { waitForServers } from '../mcp/waitForServers.ts';
import type { ProgramSandbox } from '../platform/sandbox.ts';
import type { HeadlessArguments } from './arguments.ts';
import type { HeadlessPorts, RunOptions } from './runPlace.ts';

type RunArguments = Pick<HeadlessArguments, 'serverStartMs' | 'detachesTasks'>;

export class HeadlessMcpServers {
  private readonly place: HeadlessPorts;
  private readonly additions: LoadedCustomizations;
  private readonly sandbox: ProgramSandbox;
  private readonly user: Pick<RunOptions, 'interactive' | 'notify'>;
  private readonly args: RunArguments;
  private servers: McpServers | undefined;
  private toolsOf: Awaited<ReturnType<typeof loadServerTools>> | undefined;

  constructor(
    place: HeadlessPorts,
    additions: LoadedCustomizations,
    sandbox: ProgramSandbox,
    user: Pick<RunOptions, 'interactive' | 'notify'>,
    args: RunArguments,
  ) {
    this.sandbox = sandbox;
    this.place = place;
    this.additions = additions;
    this.user = user;
    this.args = args;
  }

  /** `undefined` if none were created. */
  get present(): McpServers | undefined {
    return this.servers;
  }

  /** Creates the servers if needed; there may be none. */
  async any(): Promise<McpServers> {
    this.servers ??= await this.makeServers();
    return this.servers;
  }

  /** Tools of the running servers, for one session. */
  tools(): () => readonly AnyTool[] {
    return this.toolsOf?.() ?? (() => []);
  }

  /**
   * Starts the servers configured at the start of the run; later changes start nothing. Resolves when all have started
   * or failed, after a time limit, or on abort.
   */
  async start(signal: AbortSignal): Promise<void> {
    if (!this.place.trusted()) return;
    const entries = await this.additions.readServers();
    const unseen = entries.filter(({ state }) => state === 'waiting').length;
    if (unseen > 0) {
      this.user.notify(
        `${formatQuantity(unseen, 'server')} of the workspace did not start. Look at what configures them, then let them count in a window or run with --trusted.`,
      );
    }
    if (signal.aborted || !entries.some(({ state }) => state === 'enabled')) return;
    this.toolsOf = await loadServerTools(() => this.servers);
    this.servers = await this.makeServers();
    this.servers.set(entries);
    const names = new Set(entries.map(({ item }) => item.name));
    this.additions.all.onDidChange(() => void this.follow(names));
    await waitForServers(this.servers, this.place.clock, this.args.serverStartMs, signal);
    if (!signal.aborted) this.reportProblems(this.servers);
  }

  /** Resolves when no process of theirs is left. */
  async stop(): Promise<void> {
    await this.servers?.stop();
  }

  /** Applies switches that the run changed. */
  private async follow(names: ReadonlySet<string>): Promise<void> {
    const entries = await this.additions.readServers();
    this.servers?.set(entries.filter(({ item }) => names.has(item.name)));
  }

  private reportProblems(servers: McpServers): void {
    for (const { name, status } of servers.list(path => path)) {
      const problem = describe(status);
      if (problem !== undefined) this.user.notify(`The server ${sanitiseLine(name, 60)} ${problem}`);
    }
  }

  private async makeServers(): Promise<McpServers> {
    const { McpServers } = await import('../mcp/mcpServers.ts');
    const { NodeServerProcesses } = await import('../node/processes/serverProcesses.ts');
    const { MemorySecrets } = await import('../node/memorySecrets.ts');
    const { CallScopedMcpUser } = await import('../mcp/callScopedMcpUser.ts');
    const { machine, clock, log, folders, trusted, programs, settings } = this.place;
    const { env } = machine;
    return new McpServers({
      clock,
      log,
      ...machine,
      sandbox: this.sandbox,
      restrictions: settings.restrictions,
      detachesTasks: this.args.detachesTasks,
      trusted,
      version,
      folders: () => folders,
      traceOf: callId => this.place.observers.traceOf(callId),
      isCurrent: name => this.additions.all.stillBringsServer(name),
      processes: new NodeServerProcesses(env, programs),
      secrets: new MemorySecrets(),
      // Without a user, servers are told that nobody can be asked.
      user: this.user.interactive ? new CallScopedMcpUser(nobody) : undefined,
      onDidChangeFolders: () => ({ dispose: () => {} }),
    });
  }
}

/** Answers questions that belong to no call. */
const nobody: McpUser = {
  answer: async () => ({ kind: 'cancelled' }),
  open: async () => false,
};

/** The version reported to servers. */
const version = 'headless';

function describe(status: McpStatus): string | undefined {
  switch (status.kind) {
    case 'starting':
      return 'has not started yet; the run continues without it.';
    case 'retrying':
    case 'failed':
      return `does not run: ${sanitiseLine(status.reason, 500)}`;
    case 'needsSignIn':
      return 'wants you to sign in, which only a window can do. Here give it a token in its "headers".';
    case 'ready':
    case 'waiting':
    case 'disabled':
      return undefined;
  }
}
