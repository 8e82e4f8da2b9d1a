import { undoneWord } from '../../protocol/fold/fileCounts.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';

/** Mark after the counts of undone changes. */
export function UndoneMark({ call }: { readonly call: PanelCall }) {
  const word = undoneWord(call);
  return word === '' ? null : <span class="undone-mark">{word}</span>;
}
