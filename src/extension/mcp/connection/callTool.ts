/* Runs one tool call: directly or, with servers of November 2025, as a task that is polled. */

import type { Client, Progress } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { noTimeout } from './connectionParts.ts';
import { hasParamHeaders } from './paramHeaders.ts';

interface AnyCall {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** Leave a running task to the server; the answer is then its handle (`taskHandleOf`). */
  readonly detaches?: boolean;
}

/** Follows the task of an earlier call. */
interface TaskCall extends AnyCall {
  readonly task: string;
}

export type ServerCall = ToolCall | TaskCall;

export interface ToolCall extends AnyCall {
  readonly task?: undefined;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** As received from the server. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** `traceparent` and related values for the request's `_meta`. */
  readonly trace?: Readonly<Record<string, string>>;
  readonly asTask: boolean;
  /** Idempotent according to the server, if the user chose that server. */
  readonly repeatable: boolean;
  /** Called when the server answers with a task of this id. */
  readonly begun: (task: string) => void;
}

/** Parses answers as unknown, because the library's schemas reject a whole answer for one unknown block. */
export const anyResult = z.looseObject({});

interface Calling {
  readonly client: Client;
  readonly clock: Clock;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** Over HTTP, parameters may also be required as headers. */
  readonly byHttp: boolean;
  /** Called whenever the server sends something. */
  readonly alive: () => void;
}

export async function callTool(
  { client, clock, meta, byHttp, alive }: Calling,
  { tool, args, inputSchema, trace, asTask, signal, progress }: ToolCall,
): Promise<Readonly<Record<string, unknown>>> {
  const params = { name: tool, arguments: { ...args }, _meta: trace ? { ...meta, ...trace } : meta };
  const options = {
    signal,
    timeout: noTimeout,
    onprogress: (reported: Progress) => {
      alive();
      // The library reports the rounds of a call as progress, with texts of its own.
      if (!ownProgress.test(reported.message ?? '')) progress(describeProgress(reported));
    },
  };
  if (byHttp && client.getProtocolEra() === 'modern' && hasParamHeaders(inputSchema)) {
    const toolDefinition = { name: tool, inputSchema: { ...inputSchema, type: 'object' as const } };
    return await client.callTool(params, { ...options, toolDefinition });
  }
  if (!asTask || client.getProtocolEra() === 'modern')
    return await client.request({ method: 'tools/call', params }, anyResult, options);
  const asked = { method: 'tools/call', params: { ...params, task: {} } } as const;
  const { task } = await client.request(asked, z.looseObject({ task: taskStatus }), options);
  return await followTask(client, clock, task, options, line => {
    alive();
    if (line !== undefined) progress(line);
  });
}

const ownProgress = /^Fulfilling input required by 'tools\/call' \(round \d+\)$/;

/** The experimental tasks of the protocol of November 2025. Later ones are in `tasks.ts`. */
const taskStatus = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  statusMessage: z.string().optional(),
  pollInterval: z.number().optional(),
});

const pollMs = { usual: 1_000, least: 100 };

async function followTask(
  client: Client,
  clock: Clock,
  begun: z.infer<typeof taskStatus>,
  options: { readonly signal: AbortSignal; readonly timeout: number },
  alive: (line: string | undefined) => void,
): Promise<Readonly<Record<string, unknown>>> {
  const params = { taskId: begun.taskId };
  for (let reported = ''; ; ) {
    const now = await client.request({ method: 'tasks/get', params }, taskStatus, options);
    const line = now.statusMessage ?? now.status;
    alive(line === reported ? undefined : line);
    reported = line;
    switch (now.status) {
      case 'failed':
      case 'cancelled':
        throw new LocalizedError(() => t('Its task ended without a result.'));
      case 'completed':
      // The server's questions arrive while the result is awaited.
      case 'input_required':
        return await client.request({ method: 'tasks/result', params }, anyResult, options);
    }
    await clock.sleep(Math.max(now.pollInterval ?? pollMs.usual, pollMs.least), options.signal);
  }
}

function describeProgress({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : t('{0} of {1}', progress, total);
  return message ? `${message} (${count})` : count;
}
