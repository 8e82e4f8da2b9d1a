/* A server from the palette: steps that end in `/mcp add …`. Loaded when it is first done. */

import { window, workspace } from 'vscode';
import { isAbortError } from '../../../base/errors.ts';
import { askServer, type ServerQuestions } from '../../../core/commands/servers/askServer.ts';
import type { PromptCommands } from './promptCommands.ts';

export async function addServerBySteps(promptCommands: Pick<PromptCommands, 'run'>): Promise<void> {
  const words = await askServer(questions, (workspace.workspaceFolders ?? []).length > 0);
  if (words === undefined) return;
  try {
    const refusal = await promptCommands.run(`/mcp add ${words}`);
    if (refusal !== undefined) void window.showWarningMessage(refusal);
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

const questions: ServerQuestions = {
  pick: async (title, choices) =>
    (await window.showQuickPick(choices, { title, ignoreFocusOut: true }))?.value,
  enter: ({ title, prompt, value, secret, findFault }) =>
    Promise.resolve(
      window.showInputBox({
        title,
        prompt,
        value,
        password: secret,
        // The text is often copied from elsewhere: going there must not close the box.
        ignoreFocusOut: true,
        validateInput: findFault,
      }),
    ),
};
