import type { FileDiff } from '../../protocol/asks.ts';
import { ChangeCounts } from './changeCounts.tsx';

interface DiffHeadProps {
  readonly title: string;
  readonly diff: FileDiff;
  readonly onReview: () => void;
}

export function DiffHead({ title, diff, onReview }: DiffHeadProps) {
  return (
    <span class="diff-head">
      <span class="ellipsis" title={diff.path}>
        {title}
      </span>
      <ChangeCounts {...diff} />
      <button type="button" class="link-button" onClick={onReview} title={`Open the diff of ${diff.path}`}>
        Open diff
      </button>
    </span>
  );
}
