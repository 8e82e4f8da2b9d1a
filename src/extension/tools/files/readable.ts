import { findNotebookFault, isNotebookPath } from '../../notebooks/findFault.ts';
import { showNotebook } from '../../notebooks/showNotebook.ts';

/** A file's text as a model reads it: of a notebook its cells. `remark`: what it should know beside it. */
export function readable(path: string, text: string): { readonly shown: string; readonly remark?: string } {
  if (!isNotebookPath(path) || text === '') return { shown: text };
  const shown = showNotebook(text);
  if (shown !== undefined) return { shown };
  const fault = findNotebookFault(text) ?? 'its format is older than 4';
  return { shown: text, remark: `[Shown as text, since its cells cannot be read: ${fault}.]` };
}
