/*
 * Each function of Folio's API, as another extension uses it. The regions stand in docs/api.md word for word, and a test
 * compares the two.
 */

// #region connect
import * as vscode from 'vscode';
import type { FolioApi, FolioConnection } from '../../../src/extension/vscode/api/folioApi.ts';

export async function connectToFolio(context: vscode.ExtensionContext): Promise<FolioConnection | undefined> {
  const folio = vscode.extensions.getExtension<FolioApi>('folio.folio');
  if (folio === undefined) return undefined;
  const api = await folio.activate();
  const connection = await api.connect(context.extension.id);
  context.subscriptions.push(connection);
  return connection;
}
// #endregion

// #region sendPrompt
export async function fixTicket(folio: FolioConnection, ticket: string): Promise<string> {
  const { end } = await folio.sendPrompt(`Fix this ticket:\n${ticket}`, { newSession: true });
  switch (end.kind) {
    case 'rested':
      return 'Done.';
    case 'failed':
    case 'hook':
      return end.message;
    case 'stopped':
    case 'budget':
    case 'loop':
      return 'The work has stopped. Look into the panel of Folio.';
  }
}
// #endregion

// #region abort
export async function stopFolio(folio: FolioConnection): Promise<void> {
  await folio.abort();
}
// #endregion

// #region onEvent
export function logCalls(folio: FolioConnection, log: (line: string) => void): vscode.Disposable {
  const titles = new Map<string, string>();
  return vscode.Disposable.from(
    folio.onEvent(event => {
      if (event.type === 'call.requested') titles.set(event.callId, event.title);
      if (event.type === 'call.ended') log(`${titles.get(event.callId)}: ${event.summary}`);
    }),
  );
}
// #endregion

// #region registerTool
export function offerTickets(
  folio: FolioConnection,
  findTickets: (words: string, signal: AbortSignal) => Promise<readonly string[]>,
): vscode.Disposable {
  return vscode.Disposable.from(
    folio.registerTool({
      name: 'find_tickets',
      description: 'Finds tickets of this project by words in their titles. One ticket a line.',
      inputSchema: {
        type: 'object',
        properties: { words: { type: 'string', description: 'Words of the title' } },
        required: ['words'],
      },
      effect: 'read',
      invoke: async ({ words }, signal) => (await findTickets(String(words), signal)).join('\n'),
    }),
  );
}
// #endregion

// #region registerContext
export function tellOfBranch(folio: FolioConnection, branch: () => string | undefined): vscode.Disposable {
  return vscode.Disposable.from(
    folio.registerContext({
      label: 'the branch of the ticket',
      provide: () => branch(),
    }),
  );
}
// #endregion

// #region registerHook
export function guardGenerated(folio: FolioConnection): vscode.Disposable {
  return vscode.Disposable.from(
    folio.registerHook({
      tools: ['write_file', 'replace'],
      beforeTool: ({ input }) => {
        const path = String(input.file_path);
        if (path.includes('generated/'))
          return { kind: 'deny', reason: 'Change the schema and run "npm run generate".' };
        return path.endsWith('.lock')
          ? { kind: 'ask', reason: 'Lock files are rarely edited by hand.' }
          : undefined;
      },
      afterTool: ({ ok }) =>
        ok ? { kind: 'context', text: 'Run "npm run format" before you finish.' } : undefined,
    }),
  );
}
// #endregion
