import { env, Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { Answer, Question } from '../../../../protocol/questions.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { formatBytes, oneLine } from '../../../base/text.ts';

/** Asks questions outside of any call, one after the other. `undefined` if the user closed one. */
export async function askInWindow(
  title: string,
  message: string,
  questions: readonly Question[],
): Promise<readonly Answer[] | undefined> {
  const answers: Answer[] = [];
  for (const question of questions) {
    const answer = await askOne(title, message, question);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers;
}

async function askOne(title: string, message: string, question: Question): Promise<Answer | undefined> {
  const prompt = oneLine(escapeInvisibleText(`${message} ${question.text}`), 500);
  const { field } = question;
  switch (field.kind) {
    case 'text': {
      const placeHolder = field.placeholder;
      const said = await window.showInputBox({ title, prompt, placeHolder, ignoreFocusOut: true });
      return said === undefined ? undefined : [said];
    }
    case 'yesNo': {
      const said = await window.showQuickPick(['Yes', 'No'], { title, placeHolder: prompt });
      return said === undefined ? undefined : [said];
    }
    case 'choice': {
      const items = field.options.map(({ label, description }) => ({ label, description }));
      const options = { title, placeHolder: prompt, ignoreFocusOut: true };
      if (field.multiple) {
        const said = await window.showQuickPick(items, { ...options, canPickMany: true });
        return said?.map(({ label }) => label);
      }
      const said = await window.showQuickPick(items, options);
      return said && [said.label];
    }
  }
}

/** Asks whether to open the address, which is shown in full. `undefined`: the user did not decide. */
export async function confirmOpen(
  server: string,
  message: string,
  address: string,
): Promise<boolean | undefined> {
  const question = t('The server {0} asks you to open a page.', oneLine(escapeInvisibleText(server), 60));
  // The address comes first, so that the server's message cannot push it out of sight.
  const detail = `${escapeInvisibleText(address)}\n\n${t('The server says:')}\n${escapeInvisibleText(message)}`;
  const open = t('Open');
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, open, t('Decline'));
  return chosen === undefined ? undefined : chosen === open;
}

/**
 * Asks, by name, size and type, whether to save a file that an app offers, then where. Returns false if the user
 * declines either. Never opens the file.
 * @param file its `name` has no path
 */
export async function offerToSave(
  server: string,
  { name, mimeType, bytes }: { readonly name: string; readonly mimeType: string; readonly bytes: Uint8Array },
): Promise<boolean> {
  const message = t('A page of the server {0} offers a file.', oneLine(escapeInvisibleText(server), 60));
  const kind = mimeType === '' ? t('of an unknown kind') : escapeInvisibleText(mimeType);
  const detail = `${escapeInvisibleText(name)}\n${formatBytes(bytes.length)}, ${kind}`;
  const save = t('Save…');
  if ((await window.showInformationMessage(message, { modal: true, detail }, save)) !== save) return false;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const uri = await window.showSaveDialog({
    title: t('Save the file of a page'),
    defaultUri: folder && Uri.joinPath(folder, name),
  });
  if (uri) await workspace.fs.writeFile(uri, bytes);
  return uri !== undefined;
}

export function openAddress(address: string): Promise<boolean> {
  return Promise.resolve(env.openExternal(Uri.parse(address, true)));
}
