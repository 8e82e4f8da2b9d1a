/* Handles a server's notifications, and its requests to Folio. */

import { pathToFileURL } from 'node:url';
import { type Client, isSpecType, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { McpConnectionParts } from './connectionParts.ts';
import type { ElicitationQueue } from './elicitationQueue.ts';

export function handleServerMessages(
  client: Client,
  parts: McpConnectionParts,
  questions: ElicitationQueue,
): void {
  client.setRequestHandler('roots/list', () => rootsOf(parts));
  if (parts.user) {
    client.setRequestHandler('elicitation/create', (request, { mcpReq }) =>
      questions.ask(request.params, mcpReq.signal),
    );
  }
  client.fallbackRequestHandler = async ({ method }) => {
    const why =
      method === 'sampling/createMessage'
        ? 'Folio does not let servers use its language model.'
        : `Folio does not know ${method}.`;
    parts.log(`A request of it was refused: ${why}`);
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, why);
  };
  client.fallbackNotificationHandler = async ({ method }) =>
    parts.debug(`It reported ${method}, which Folio does not act on.`);
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    parts.log(`${params.level}: ${text}`);
  });
  client.setNotificationHandler('notifications/tools/list_changed', () => parts.changed('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => parts.changed('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => parts.changed('resources'));
}

/**
 * Returns a function that answers requests contained in a task's state: for the workspace's roots, and for a form if
 * somebody can be asked. The function resolves with `undefined` for other requests.
 */
export function answerServerRequests(
  parts: McpConnectionParts,
  questions: ElicitationQueue,
): (
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, unknown>> | undefined> {
  return async (method, params, signal) => {
    if (method === 'roots/list') return rootsOf(parts);
    const request = { method, params };
    if (!parts.user || !isSpecType.ElicitRequest(request)) return undefined;
    return await questions.ask(request.params, signal);
  };
}

function rootsOf({ folders }: McpConnectionParts) {
  return { roots: folders().map(folder => ({ uri: pathToFileURL(folder).href, name: nameOf(folder) })) };
}

function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast(part => part !== '') ?? folder;
}
