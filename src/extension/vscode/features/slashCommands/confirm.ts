import { window } from 'vscode';
import type { Confirmation } from '../../../core/commands/commands.ts';
import { asMarkdown } from '../../../core/commands/extensions/agree.ts';
import type { ReadingTexts } from '../documents/readingTexts.ts';

/** A dialog has no more room; what is longer is read in an editor. */
const longest = 1_200;
const mostLines = 25;

/** Nobody agrees to what they could not see whole. */
export async function confirm(question: Confirmation, texts: ReadingTexts): Promise<'yes' | 'no'> {
  const { sentence, text, button } = question;
  const isWhole = text.length <= longest && text.split('\n').length <= mostLines;
  if (isWhole) {
    const answer = await window.showWarningMessage(sentence, { modal: true, detail: text }, button);
    return answer === button ? 'yes' : 'no';
  }
  await texts.show('To decide on', asMarkdown(question));
  const beside = `${sentence} What it means stands in the editor.`;
  return (await window.showWarningMessage(beside, button, 'Leave')) === button ? 'yes' : 'no';
}
