import type { FileDiff } from '../../protocol/asks.ts';
import { t } from '../../protocol/language.ts';
import { useFolderNames } from '../panel/folderNames.ts';
import { LinkButton } from '../ui/controls.tsx';
import { MiddleCut } from '../ui/words.tsx';
import { ChangeCounts } from './changeCounts.tsx';

interface DiffHeadProps {
  readonly title: string;
  readonly diff: FileDiff;
  readonly onReview: () => void;
}

export function DiffHead({ title, diff, onReview }: DiffHeadProps) {
  const path = useFolderNames().shown(diff.path);
  return (
    <span class="diff-head">
      <span class="diff-title" title={path}>
        <MiddleCut text={title} />
      </span>
      <ChangeCounts {...diff} />
      <LinkButton onClick={onReview} title={t('Open the diff of {0}', path)}>
        {t('Open diff')}
      </LinkButton>
    </span>
  );
}
