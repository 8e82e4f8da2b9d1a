import { Buffer } from 'node:buffer';
import type { AnyTool } from '../../core/tool.ts';
import type { ListedTool } from '../connection/listed.ts';
import type { McpServers } from '../mcpServers.ts';
import type { Server } from '../server.ts';
import { findTools } from './findTools.ts';
import { isToolEnabled } from './isToolEnabled.ts';
import { listResources, readResource } from './resourceTools.ts';
import { serverTool } from './serverTool.ts';
import { toolNames } from './toolName.ts';

export interface SessionTools {
  /** Tokens of the model that works. */
  readonly contextLimit: () => number;
  /** Names of what `find_tools` found in this session. */
  readonly found: Set<string>;
}

/** Of the context, what declarations of servers may take before they are only found by looking for them. */
const budgetShare = 0.1;
const bytesPerToken = 4;

/**
 * The tools of all servers for one session. The function that comes back is asked before each request; it gives the
 * same list as long as the servers have the same tools. All are in it, so that what was on offer a moment ago can still
 * be called; `isOffered` says which are declared.
 */
export function mcpTools(
  servers: McpServers,
  { contextLimit, found }: SessionTools,
): () => readonly AnyTool[] {
  let made: Made | undefined;
  let ofServers: readonly AnyTool[] = [];
  let bytes = 0;
  const isTooMuch = () => bytes / bytesPerToken > contextLimit() * budgetShare;
  const fixed = [
    findTools({
      tools: () => ofServers,
      isOffered: isTooMuch,
      found: names => {
        for (const name of names) found.add(name);
      },
    }),
    listResources(servers),
    readResource(servers),
  ];
  return () => {
    const { version } = servers;
    if (made?.version === version) return made.list;
    const all = listTools(servers);
    // Logs and states change more often than tools; who holds the list need not notice.
    if (made && isSame(all, made.all)) {
      made = { ...made, version };
      return made.list;
    }
    const names = toolNames(all.map(({ server, tool }) => ({ server: server.config.name, tool: tool.name })));
    ofServers = all.map(({ server, tool }, at) => {
      const own = serverTool(server, tool, names[at]!);
      return { ...own, isOffered: () => !isTooMuch() || found.has(own.name) };
    });
    bytes = ofServers.reduce((sum, tool) => sum + sizeOf(tool), 0);
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
  readonly server: Server;
  readonly tool: ListedTool;
}

/** Not by what they look like: a tool belongs to one run of one configuration, whose origin decides what it may. */
function isSame(some: readonly OfServer[], others: readonly OfServer[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ server, tool }, at) => server === others[at]?.server && tool === others[at]?.tool)
  );
}

function listTools(servers: McpServers): readonly OfServer[] {
  return servers.running.flatMap(server =>
    server.lists.tools
      .filter(({ name }) => isToolEnabled(server.config, name))
      .map(tool => ({ server, tool })),
  );
}

function sizeOf({ name, description, schema }: AnyTool): number {
  return Buffer.byteLength(JSON.stringify([name, description, schema]));
}
