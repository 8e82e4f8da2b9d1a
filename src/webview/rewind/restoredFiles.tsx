import { plural, t } from '../../protocol/language.ts';
import type { RestoredFile } from '../../protocol/values.ts';
import { usePathLabels } from '../panel/pathLabels.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { FileName } from '../review/fileName.tsx';
import { firstOf } from '../ui/format.ts';
import { resultWords } from './rewinding.ts';

const listed = 50;

/** Lists the effect of a rewind on files. `undefined`: not known yet. */
export function RestoredFiles({ files }: { readonly files: readonly RestoredFile[] | undefined }) {
  const labels = usePathLabels();
  if (!files) return <p class="quiet">{t('Checking the files…')}</p>;
  if (files.length === 0) return <p class="quiet">{t('No file has changed since.')}</p>;
  const shown = firstOf(files, listed);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by key.
    <ul class="restored" tabIndex={0} aria-label={t('Effect on files')}>
      {shown.map(file => (
        <li key={file.path} class="restored-file">
          <FileName path={labels.shown(file.path)} />
          <span class="quiet">
            {resultWords()[file.result]} {showsCounts(file) && <ChangeCounts {...file} />}
          </span>
        </li>
      ))}
      {files.length > shown.length && (
        <li class="quiet">
          {plural(files.length - shown.length, 'one: {0} more file | other: {0} more files')}
        </li>
      )}
    </ul>
  );
}

/** Returns true for restored files with counts. Created, deleted and unchanged files have none. */
function showsCounts({ result, added, removed, cells = 0 }: RestoredFile): boolean {
  return (result === 'restored' || result === 'merged') && added + removed + cells > 0;
}
