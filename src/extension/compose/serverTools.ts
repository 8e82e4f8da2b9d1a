/* Tools and prompts of MCP servers for sessions and commands, in a window and without one. */

import { t } from '../../protocol/language.ts';
import { LocalizedError } from '../base/errors.ts';
import type { ServerPrompts } from '../core/commands/prompts/promptSource.ts';
import type { AnyTool } from '../core/tool.ts';
import type { McpServers } from '../mcp/mcpServers.ts';

export async function loadServerTools(servers: () => McpServers | undefined) {
  const { mcpTools } = await import('../mcp/tools/mcpTools.ts');
  return (): (() => readonly AnyTool[]) => {
    let list: (() => readonly AnyTool[]) | undefined;
    return () => {
      const running = servers();
      if (!running) return [];
      list ??= mcpTools(running);
      return list();
    };
  };
}

export function serverPrompts(servers: () => McpServers | undefined): ServerPrompts {
  return {
    list: () => servers()?.prompts() ?? [],
    get: async (server, name, args, signal) => {
      const running = servers();
      if (!running) throw new LocalizedError(() => t('No server is running.'));
      return await running.getPrompt(server, name, args, signal);
    },
  };
}
