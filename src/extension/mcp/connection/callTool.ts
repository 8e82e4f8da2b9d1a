/* One call of a tool, at once or as a task that is asked after. */

import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import { never } from './connectionParts.ts';

export interface ServerCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly asTask: boolean;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/** Answers are read as unknown: the library's schemas refuse a whole answer for one block that they do not know. */
export const anyResult = z.looseObject({});

/** @param heard called at each sign of life */
export async function callTool(
  client: Client,
  { tool, args, asTask, signal, progress }: ServerCall,
  heard: () => void,
): Promise<Readonly<Record<string, unknown>>> {
  const request = { name: tool, arguments: { ...args } };
  const options = {
    signal,
    timeout: never,
    onprogress: (reported: Progress) => {
      heard();
      progress(describeProgress(reported));
    },
  };
  return asTask
    ? await runTask(client, request, options, heard, progress)
    : await client.request({ method: 'tools/call', params: request }, anyResult, options);
}

async function runTask(
  client: Client,
  request: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: { readonly signal: AbortSignal; readonly timeout: number },
  heard: () => void,
  progress: (line: string) => void,
): Promise<Readonly<Record<string, unknown>>> {
  const stream = client.experimental.tasks.callToolStream(request, anyResult as never, {
    ...options,
    task: {},
  });
  let reported = '';
  for await (const message of stream) {
    heard();
    switch (message.type) {
      case 'taskCreated':
        break;
      case 'taskStatus': {
        const line = message.task.statusMessage ?? message.task.status;
        if (line !== reported) progress(line);
        reported = line;
        break;
      }
      case 'result':
        return message.result;
      case 'error':
        throw message.error;
    }
  }
  throw new SpokenError(() => t('Its task ended without a result.'));
}

function describeProgress({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : t('{0} of {1}', progress, total);
  return message ? `${message} (${count})` : count;
}
