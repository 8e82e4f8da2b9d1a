import { t } from '../../../protocol/language.ts';
import { sanitiseLine } from '../../base/text.ts';
import type { ToolResult } from '../../core/tool.ts';
import type { TaskHandle } from '../content/taskHandle.ts';

/** Result of a call whose task continues without it. */
export function detachedTaskResult(server: string, { id, until }: TaskHandle): ToolResult {
  const name = sanitiseLine(id, 1_000);
  return {
    text: `The server ${server} goes on with this as its task ${name}, and nobody waits for it in this run: there is no result yet. Do not make this call again. Do what needs no result of it, say what is left to do, then rest. You get the result when the user continues the session.`,
    bounded: true,
    display: { summary: () => t('Continues as task {0}', sanitiseLine(id, 60)), task: { server, id, until } },
  };
}
