import { findNotebookFault, isNotebookPath } from '../../notebooks/findFault.ts';
import { notebookAsText } from '../../notebooks/notebookAsText.ts';

/** Returns a file's text as a model reads it: the cells of a notebook. `remark`: additional facts for the model. */
export function readableText(
  path: string,
  text: string,
): { readonly shown: string; readonly remark?: string } {
  if (!isNotebookPath(path) || text === '') return { shown: text };
  const shown = notebookAsText(text);
  if (shown !== undefined) return { shown };
  const fault = findNotebookFault(text) ?? 'its format is older than 4';
  return { shown: text, remark: `[Shown as text, since its cells cannot be read: ${fault}.]` };
}
