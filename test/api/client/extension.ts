/* An extension beside Folio that uses its API, and offers VS Code a tool of its own. */

import * as vscode from 'vscode';
import * as examples from './examples.ts';

/** What the cases of test/api get from it. */
export interface ClientExports {
  readonly context: vscode.ExtensionContext;
  readonly examples: typeof examples;
}

export function activate(context: vscode.ExtensionContext): ClientExports {
  const echo: vscode.LanguageModelTool<{ readonly text: string }> = {
    invoke: ({ input }) =>
      new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`Echo: ${input.text}`)]),
  };
  context.subscriptions.push(
    vscode.lm.registerTool('guest_echo', echo),
    vscode.lm.registerTool('open_browser_page', echo),
    // What a test with a user at the panel starts from outside.
    vscode.commands.registerCommand('guest.fixTicket', async (ticket: string) => {
      const folio = await examples.connectToFolio(context);
      if (folio === undefined) throw new Error('Folio is not installed.');
      examples.offerTickets(folio, async words => [`1: ${words} is broken`]);
      return await examples.fixTicket(folio, ticket);
    }),
  );
  return { context, examples };
}
