/* Handles a server's notifications, and its requests to Folio. */

import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionParts } from './connectionParts.ts';
import type { ServerQuestions } from './serverQuestions.ts';

export function hearServer(client: Client, parts: ConnectionParts, questions: ServerQuestions): void {
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: parts.folders().map(folder => ({ uri: pathToFileURL(folder).href, name: nameOf(folder) })),
  }));
  if (parts.user) {
    client.setRequestHandler(ElicitRequestSchema, (request, { signal }) =>
      questions.ask(request.params, signal),
    );
  }
  client.fallbackRequestHandler = async ({ method }) => {
    const why =
      method === 'sampling/createMessage'
        ? 'Folio does not let servers use its language model.'
        : `Folio does not know ${method}.`;
    parts.log(`A request of it was refused: ${why}`);
    throw new McpError(ErrorCode.MethodNotFound, why);
  };
  client.fallbackNotificationHandler = async ({ method }) =>
    parts.debug(`It reported ${method}, which Folio does not act on.`);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    parts.log(`${params.level}: ${text}`);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => parts.changed('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => parts.changed('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => parts.changed('resources'));
}

function nameOf(folder: string): string {
  return folder.split(/[\\/]/).findLast(part => part !== '') ?? folder;
}
