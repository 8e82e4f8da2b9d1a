import { window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import type { FormField } from '../../../core/commands/commands.ts';

/** Shows one input after the other. Leaving one cancels the form. */
export async function fillForm(
  title: string,
  fields: readonly FormField[],
): Promise<ReadonlyMap<string, string> | 'left'> {
  const answers = new Map<string, string>();
  for (const [index, { key, prompt, choices, findFault }] of fields.entries()) {
    const heading = fields.length > 1 ? t('{0} ({1} of {2})', title, index + 1, fields.length) : title;
    const answer = choices
      ? await window.showQuickPick([...choices], {
          title: heading,
          placeHolder: prompt,
          ignoreFocusOut: true,
        })
      : await window.showInputBox({
          title: heading,
          prompt,
          ignoreFocusOut: true,
          // Validated while typing, so that an error does not lose the other answers.
          validateInput: line => findFault?.(line.trim()),
        });
    if (answer === undefined) return 'left';
    answers.set(key, answer);
  }
  return answers;
}
