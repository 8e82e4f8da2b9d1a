import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../src/extension/base/emitter.ts';
import type { AnyTool } from '../../../src/extension/core/tool.ts';
import type {
  ElicitationAnswer,
  ElicitationRequest,
  McpUser,
} from '../../../src/extension/mcp/connection/mcpUser.ts';
import { type ConfiguredServer, McpServers } from '../../../src/extension/mcp/mcpServers.ts';
import type { McpPorts } from '../../../src/extension/mcp/ports.ts';
import { mcpTools } from '../../../src/extension/mcp/tools/mcpTools.ts';
import { MemorySecrets } from '../../../src/extension/node/memorySecrets.ts';
import { NodeServerProcesses } from '../../../src/extension/node/processes/serverProcesses.ts';
import type { ProgramSandbox } from '../../../src/extension/platform/sandbox.ts';
import type {
  ServerProcess,
  ServerProcesses,
  ServerProgram,
} from '../../../src/extension/platform/serverProcesses.ts';
import type { McpServer } from '../../../src/protocol/panel/mcp.ts';
import { PushedClock } from '../../support/pushedClock.ts';

/** A timeout that only a hang reaches. */
export const limit = { timeout: 240_000, interval: 20 };

/** A user who gives scripted answers in order, then closes forms. */
export class ScriptedUser implements McpUser {
  readonly asked: ElicitationRequest[] = [];
  readonly opened: string[] = [];
  readonly says: ElicitationAnswer[] = [];
  /** Called when a page is shown. */
  visit: (address: string) => Promise<boolean> = async () => true;

  async answer(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer> {
    signal.throwIfAborted();
    this.asked.push(request);
    return this.says.shift() ?? { kind: 'cancelled' };
  }

  async open(address: string): Promise<boolean> {
    this.opened.push(address);
    return await this.visit(address);
  }
}

/** Real processes with recorded ids. */
export class WatchedProcesses implements ServerProcesses {
  readonly started: ServerProcess[] = [];
  private readonly real = new NodeServerProcesses({ PATH: process.env.PATH, HOME: process.env.HOME });

  start(program: ServerProgram): ServerProcess {
    const started = this.real.start(program);
    this.started.push(started);
    return started;
  }

  dispose(): Promise<void> {
    return this.real.dispose();
  }
}

/** A machine without a sandbox. */
export const noSandbox: ProgramSandbox = {
  sandboxProgram: () => Promise.reject(new Error('There is no sandbox here.')),
};

/** Makes servers over real processes and sockets, in their own folder. */
export async function mcpWorld(intents: Partial<McpPorts> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'folio-mcp-'));
  const user = new ScriptedUser();
  const processes = new WatchedProcesses();
  const clock = new PushedClock();
  const folders = new Emitter<void>();
  const logged: string[] = [];
  const write = (line: string) => {
    logged.push(line);
  };
  const secrets = new MemorySecrets();
  const servers = new McpServers({
    version: '0.0.0-test',
    clock,
    processes,
    secrets,
    user,
    log: {
      debug: write,
      info: write,
      warn: write,
      error: (line, cause) => write(`${line} ${String(cause)}`),
    },
    env: {},
    home: folder,
    sandbox: noSandbox,
    folders: () => [folder],
    trusted: () => true,
    isCurrent: async () => true,
    onDidChangeFolders: folders.event,
    ...intents,
  });
  const tools = mcpTools(servers);
  return {
    folder,
    user,
    processes,
    clock,
    folders,
    logged,
    secrets,
    servers,
    tools,
    set: (entries: Readonly<Record<string, unknown>>) =>
      servers.set(Object.entries(entries).map(([name, value]) => serverEntry(name, value))),
    row: (name: string): McpServer => findRow(servers, name),
    settled: (name: string) =>
      eventually(servers, () => {
        const row = findRow(servers, name);
        return row.status.kind === 'starting' ? undefined : row;
      }),
    until: (name: string, kind: McpServer['status']['kind']) =>
      eventually(servers, () => {
        const row = findRow(servers, name);
        if (row.status.kind === kind) return row;
        // A failed server does not recover.
        if (row.status.kind === 'failed') throw new Error(`${row.status.reason} ${logged.join(' | ')}`);
        return undefined;
      }),
    tool: (name: string): AnyTool => {
      const tool = tools().find(each => each.name === name);
      if (!tool) throw new Error(`No tool ${name} among ${tools().map(each => each.name)}`);
      return tool;
    },
    end: async () => {
      await servers.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type McpWorld = Awaited<ReturnType<typeof mcpWorld>>;

export function serverEntry(
  name: string,
  value: unknown,
  origin: ConfiguredServer['item']['origin'] = { kind: 'person' },
  state: ConfiguredServer['state'] = 'enabled',
): ConfiguredServer {
  const path = '/home/settings.json';
  return {
    item: { kind: 'server', name, origin, path, detail: '', format: 'settings', text: '', value },
    state,
  };
}

function findRow(servers: McpServers, name: string): McpServer {
  const row = servers.list(path => path).find(each => each.name === name);
  if (!row) throw new Error(`There is no server ${name}.`);
  return row;
}

/** Returns the path of a program of an installed package. */
export function packaged(path: string): string {
  return join(import.meta.dirname, '../../../node_modules', path);
}

export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits without the test runner, since a separate program uses this world, too. */
async function eventually<T>(servers: McpServers, find: () => T | undefined): Promise<T> {
  return await new Promise((resolve, reject) => {
    const scan = () => {
      try {
        const found = find();
        if (found === undefined) return;
        resolve(found);
      } catch (error) {
        reject(error);
      }
      clearTimeout(timer);
      listening.dispose();
    };
    const late = () => reject(new Error(`Nothing came: ${JSON.stringify(servers.list(path => path))}`));
    const timer = setTimeout(late, limit.timeout);
    const listening = servers.onDidChange(scan);
    scan();
  });
}
