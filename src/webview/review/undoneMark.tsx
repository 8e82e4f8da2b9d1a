import { shareUndone } from '../../protocol/fold/fileCounts.ts';
import { t } from '../../protocol/language.ts';
import type { PanelCall } from '../../protocol/panel/panelState.ts';

/** Stands behind the counts of changes that are no longer in the files. */
export function UndoneMark({ call }: { readonly call: PanelCall }) {
  const word = undoneWord(call);
  return word === '' ? null : <span class="undone-mark">{word}</span>;
}

/** Empty while all changes of the call stand. */
export function undoneWord(call: PanelCall): string {
  switch (shareUndone(call)) {
    case 'all':
      return t('undone');
    case 'part':
      return t('partly undone');
    case 'none':
      return '';
  }
}
