/* Tool that follows the task of an earlier call which ended without its result. */

import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine, sanitiseLine } from '../../base/text.ts';
import { type AnyTool, defineReadTool, ToolFailure } from '../../core/tool.ts';
import { taskHandleOf } from '../content/taskHandle.ts';
import type { McpServers } from '../mcpServers.ts';
import { detachedTaskResult } from './detachedTask.ts';
import { toToolResult } from './resultContent.ts';

export const followTaskName = 'read_mcp_task';

const input = lazySchema(() =>
  z.object({
    server: z.string(),
    task: z.string().max(1_000).describe('Its id, as the output of the call names it'),
  }),
);

export function followTaskTool(servers: McpServers): AnyTool {
  return defineReadTool({
    name: followTaskName,
    description:
      'Waits for the result of a call of an MCP server that was interrupted while the server worked on it as a task. The output of that call names the task.',
    input,
    isOffered: () => servers.running.some(({ hasTasks }) => hasTasks),
    title: ({ server }) => t('Follow a task of {0}', sanitiseLine(server, 60)),
    target: ({ server }) => ({
      // Avoid this tool's own name: a server's tool may have the same.
      kind: 'mcp',
      server,
      tool: '',
      ofWorkspace:
        servers.running.some(({ config: { name, origin } }) => name === server && origin === 'workspace') ||
        undefined,
    }),
    run: async ({ server, task }, { callId, signal, write, saveOutput, ask }) => {
      const progress = (line: string) => write(`${oneLine(line, 500)}\n`);
      try {
        const found = servers.find(server);
        const { detachesTasks: detaches } = found;
        const result = await found.call({ task, callId, signal, progress, detaches }, ask);
        const left = taskHandleOf(result);
        return left ? detachedTaskResult(server, left) : await toToolResult(result, { saveOutput });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ToolFailure) throw error;
        throw new ToolFailure(() => t('The task could not be followed: {0}', oneLine(messageOf(error), 500)));
      }
    },
  });
}
