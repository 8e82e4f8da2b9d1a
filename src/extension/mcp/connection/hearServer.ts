/* Handles a server's notifications, and its requests to Folio. */

import { pathToFileURL } from 'node:url';
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { ConnectionParts } from './connectionParts.ts';
import type { ServerQuestions } from './serverQuestions.ts';

export function hearServer(client: Client, parts: ConnectionParts, questions: ServerQuestions): void {
  client.setRequestHandler('roots/list', () => ({
    roots: parts.folders().map(folder => ({ uri: pathToFileURL(folder).href, name: nameOf(folder) })),
  }));
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

function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast(part => part !== '') ?? folder;
}
