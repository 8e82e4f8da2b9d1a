import { ToolFailure } from '../../core/tool.ts';
import { findNotebookFault, isNotebookPath } from '../../notebooks/findFault.ts';

/** Throws when the change would turn a notebook into none. One that is broken already may be mended in steps. */
export function refuseBrokenNotebook(path: string, before: string | null, after: string): void {
  if (!isNotebookPath(path) || before === null) return;
  const fault = findNotebookFault(after);
  if (fault === undefined || findNotebookFault(before) !== undefined) return;
  throw new ToolFailure(
    `Nothing was written, since the result would be no valid notebook: ${fault}. Change its cells with edit_notebook, or send the change so that the JSON of the notebook stays whole.`,
    'No valid notebook',
  );
}
