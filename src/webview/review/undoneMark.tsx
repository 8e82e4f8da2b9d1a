import { undoneWord } from '../../protocol/fold/fileCounts.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';

/** Stands behind the counts of changes that are no longer in the files. */
export function UndoneMark({ call }: { readonly call: PanelCall }) {
  const word = undoneWord(call);
  return word === '' ? null : <span class="undone-mark">{word}</span>;
}
