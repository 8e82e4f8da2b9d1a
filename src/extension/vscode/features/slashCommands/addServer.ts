/*
 * Adds or removes a server step by step from the palette or panel, as `/mcp add …` or `/mcp remove …`. Loaded on first
 * use.
 */

import { type QuickPickItem, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { isAbortError } from '../../../base/errors.ts';
import {
  askServerDetails,
  type ServerAnswers,
  type ServerDialogChoice,
  type ServerDialogs,
  type TypedServerChoice,
} from '../../../core/commands/servers/askServerDetails.ts';
import { quoteWord } from '../../../core/commands/template/words.ts';
import type { PanelView } from '../../panel/panelView.ts';
import type { PromptCommands } from './promptCommands.ts';

/**
 * The focus is back after the last question, since the server may take long to start.
 * @param taken names of servers
 */
export async function addServerBySteps(
  promptCommands: Pick<PromptCommands, 'run'>,
  taken: readonly string[],
  panel: Pick<PanelView, 'keepFocus'>,
): Promise<void> {
  const hasFolder = (workspace.workspaceFolders ?? []).length > 0;
  const known: ServerAnswers = {};
  const edit = t('Edit');
  const addAnyway = t('Add Anyway');
  for (let answer: string | undefined = edit; answer === edit; ) {
    const words = await panel.keepFocus(() => askServerDetails(questions, hasFolder, taken, known));
    if (words === undefined) return;
    const refusal = await run(promptCommands, `/mcp add ${words}`);
    if (refusal === undefined) return;
    answer = await panel.keepFocus(() => askAfter(refusal, edit, addAnyway));
    if (answer !== addAnyway) continue;
    const unchecked = `--unchecked ${words}`;
    const still = await run(promptCommands, `/mcp add ${unchecked}`);
    if (still !== undefined) answer = await panel.keepFocus(() => askAfter(still, edit));
  }
}

/** Asks in a dialog, which shows the whole reason; a notification would cut it. */
async function askAfter(refusal: string, ...choices: readonly string[]): Promise<string | undefined> {
  return window.showWarningMessage(refusal, { modal: true }, ...choices);
}

/** Removes a server after a confirmation, since its entry and secrets cannot be restored. */
export async function confirmAndRemoveServer(
  promptCommands: Pick<PromptCommands, 'run'>,
  name: string,
): Promise<void> {
  const remove = t('Remove');
  const detail = t(
    'This removes its entry from the settings file, and the secrets that Folio stores for it.',
  );
  const question = t('Remove the server {0}?', name);
  const answer = await window.showWarningMessage(question, { modal: true, detail }, remove);
  if (answer !== remove) return;
  const refusal = await promptCommands.run(`/mcp remove ${quoteWord(name)}`);
  if (refusal !== undefined) void window.showWarningMessage(refusal);
}

/** Returns a sentence on why the server was not added. */
async function run(
  promptCommands: Pick<PromptCommands, 'run'>,
  command: string,
): Promise<string | undefined> {
  try {
    return await promptCommands.run(command);
  } catch (error) {
    if (!isAbortError(error)) throw error;
    return t('You stopped it, so the server was not added.');
  }
}

const questions: ServerDialogs = {
  pick: pickOrType,
  enter: ({ title, prompt, value, secret, findFault }) =>
    Promise.resolve(
      window.showInputBox({
        title,
        prompt,
        value,
        password: secret,
        // The text is often copied from elsewhere, so losing focus must not close the box.
        ignoreFocusOut: true,
        validateInput: findFault,
      }),
    ),
};

/** Typed text hides no choice but activates the best match. */
async function pickOrType<T extends string>(
  title: string,
  choices: readonly ServerDialogChoice<T>[],
  { active, typing }: { readonly active?: T; readonly typing?: TypedServerChoice<T> },
): Promise<T | undefined> {
  const picker = window.createQuickPick<ServerDialogChoice<T> & QuickPickItem>();
  picker.title = title;
  picker.placeholder = typing && t('Choose, or paste its command or address');
  picker.ignoreFocusOut = true;
  picker.items = choices.map(choice => ({ ...choice, alwaysShow: typing !== undefined }));
  picker.activeItems = picker.items.filter(({ value }) => value === active);
  const fitting = () => picker.items.find(({ value }) => value === typing?.choiceFor(picker.value));
  const activateFitting = () => {
    const found = fitting();
    if (found) picker.activeItems = [found];
  };
  picker.onDidChangeValue(activateFitting);
  picker.value = typing?.value ?? '';
  if (picker.value !== '') activateFitting();
  try {
    return await new Promise(resolve => {
      picker.onDidHide(() => resolve(undefined));
      picker.onDidAccept(() => {
        typing?.keep(picker.value);
        resolve((picker.selectedItems[0] ?? picker.activeItems[0] ?? fitting())?.value);
      });
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}
