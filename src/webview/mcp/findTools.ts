import type { McpServer, McpTool } from '../../protocol/mcp.ts';

export interface FoundServer {
  readonly server: McpServer;
  /** Those that are shown; all of them unless the words name some. */
  readonly tools: readonly McpTool[];
}

/**
 * Every word must be somewhere in a tool with its server's name; a server whose own name or file holds all of them
 * shows all of its tools.
 */
export function findTools(servers: readonly McpServer[], filter: string): readonly FoundServer[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text: string) => words.every(word => text.toLowerCase().includes(word));
  return servers.flatMap(server => {
    const { name, file, description = '', tools } = server;
    if (holds(`${name} ${file} ${description}`)) return [{ server, tools }];
    const found = tools.filter(tool => holds(`${name} ${tool.name} ${tool.description}`));
    return found.length > 0 ? [{ server, tools: found }] : [];
  });
}
