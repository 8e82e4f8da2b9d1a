import { shareUndone } from '../fold/fileCounts.ts';
import { t } from '../language.ts';

/** Empty while all changes of the call stand. */
export function undoneWord(call: Parameters<typeof shareUndone>[0]): string {
  switch (shareUndone(call)) {
    case 'all':
      return t('undone');
    case 'part':
      return t('partly undone');
    case 'none':
      return '';
  }
}
