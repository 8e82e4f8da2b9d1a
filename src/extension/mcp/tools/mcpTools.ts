import type { AnyTool } from '../../core/tool.ts';
import { isToolEnabled } from '../config/serverConfig.ts';
import type { ListedTool } from '../connection/parseListed.ts';
import type { ManagedServer } from '../managedServer.ts';
import type { McpServers } from '../mcpServers.ts';
import { listResourcesTool, readResourceTool } from './resourceTools.ts';
import { serverTool } from './serverTool.ts';
import { followTaskTool } from './taskTool.ts';
import { toolNames } from './toolName.ts';

/**
 * The tools of all servers for one session. Call the returned function before each request; it returns the same list
 * while the servers have the same tools.
 */
export function mcpTools(servers: McpServers): () => readonly AnyTool[] {
  let made: Made | undefined;
  const fixed = [listResourcesTool(servers), readResourceTool(servers), followTaskTool(servers)];
  return () => {
    for (const server of servers.running) server.refreshStale();
    const { version } = servers;
    if (made?.version === version) return made.list;
    const all = listTools(servers);
    // Logs and states change more often than tools, so keep the list's identity.
    if (made && isSame(all, made.all)) {
      made = { ...made, version };
      return made.list;
    }
    const names = toolNames(all.map(({ server, tool }) => ({ server: server.config.name, tool: tool.name })));
    const ofServers = all.map(({ server, tool }, at) => serverTool(server, tool, names[at]!));
    made = { version, all, list: [...ofServers, ...fixed] };
    return made.list;
  };
}

interface Made {
  readonly version: number;
  readonly all: readonly OfServer[];
  readonly list: readonly AnyTool[];
}

interface OfServer {
  readonly server: ManagedServer;
  readonly tool: ListedTool;
}

/** Compares by identity: a tool belongs to one run of one configuration, whose origin decides what it may do. */
function isSame(some: readonly OfServer[], others: readonly OfServer[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ server, tool }, at) => server === others[at]?.server && tool === others[at]?.tool)
  );
}

function listTools(servers: McpServers): readonly OfServer[] {
  return servers.running.flatMap(server =>
    server.lists.tools
      .filter(({ name, hiddenFrom }) => hiddenFrom !== 'model' && isToolEnabled(server.config, name))
      .map(tool => ({ server, tool })),
  );
}
