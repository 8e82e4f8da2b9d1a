/* Servers that another program can use as configured, without Folio in between. */

import { LocalizedError } from '../../base/errors.ts';
import type { AnyTool } from '../../core/tool.ts';
import { resolveTransportConfig } from '../config/resolveTransportConfig.ts';
import type { ServerConfig, TransportConfig } from '../config/serverConfig.ts';
import type { McpServers } from '../mcpServers.ts';
import { mcpTools } from './mcpTools.ts';

interface PassedServer {
  readonly name: string;
  /** Its variables and headers come only from its entry. */
  readonly source: Exclude<TransportConfig, { kind: 'vscode' }>;
  /** All of its tools, since another program could call each. */
  readonly tools: readonly AnyTool[];
}

/** @param folder absolute path of the folder where the other program works and starts the servers */
export async function passedServers(servers: McpServers, folder: string): Promise<readonly PassedServer[]> {
  const tools = mcpTools(servers)();
  const ready = servers.running.filter(
    ({ status, config }) => status.kind === 'ready' && isPlain(config, folder),
  );
  const passed = ready.map(async ({ config: { name, source } }): Promise<readonly PassedServer[]> => {
    const read = await resolveTransportConfig(source, new Map()).catch((error: unknown) => {
      // Its variables file was deleted after its start, so it cannot start again.
      if (error instanceof LocalizedError) return undefined;
      throw error;
    });
    if (!read || read.kind === 'vscode') return [];
    return [{ name, source: read, tools: tools.filter(({ of }) => of?.server === name) }];
  });
  return (await Promise.all(passed)).flat();
}

/**
 * Excludes servers with values that the user entered for Folio, and those with a sandbox, another folder or a tool
 * filter, which another program would not respect.
 */
function isPlain({ source, inputs, includeTools, excludeTools }: ServerConfig, folder: string): boolean {
  if (inputs.length > 0 || includeTools || excludeTools.length > 0) return false;
  return source.kind !== 'stdio' || (source.sandbox === undefined && source.cwd === folder);
}
