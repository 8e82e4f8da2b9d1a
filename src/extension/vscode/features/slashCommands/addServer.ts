/* A server from the palette or the panel: steps that end in `/mcp add …` or `/mcp remove …`. Loaded with the first. */

import { window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { isAbortError } from '../../../base/errors.ts';
import { askServer, type ServerQuestions } from '../../../core/commands/servers/askServer.ts';
import { quoteWord } from '../../../core/commands/template/words.ts';
import type { PromptCommands } from './promptCommands.ts';

export async function addServerBySteps(promptCommands: Pick<PromptCommands, 'run'>): Promise<void> {
  const words = await askServer(questions, (workspace.workspaceFolders ?? []).length > 0);
  if (words !== undefined) await run(promptCommands, `/mcp add ${words}`);
}

/** Its entry and its secrets cannot be brought back, so it asks first. */
export async function removeServer(promptCommands: Pick<PromptCommands, 'run'>, name: string): Promise<void> {
  const remove = t('Remove');
  const detail = t('Its entry is taken out of the settings file, with the secrets that Folio keeps for it.');
  const question = t('Remove the server {0}?', name);
  const answer = await window.showWarningMessage(question, { modal: true, detail }, remove);
  if (answer === remove) await run(promptCommands, `/mcp remove ${quoteWord(name)}`);
}

async function run(promptCommands: Pick<PromptCommands, 'run'>, command: string): Promise<void> {
  try {
    const refusal = await promptCommands.run(command);
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
