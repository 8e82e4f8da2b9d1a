import type { FileDiff } from '../../../protocol/asks.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { diffText } from './callMarkdown.ts';

/** Concatenates the edits of a session, for folders without version control, each as the panel shows it. */
export function sessionDiff(
  { chapters }: SessionState,
  keep: (diff: FileDiff) => boolean = () => true,
): string {
  const diffs: string[] = [];
  for (const { items } of chapters) {
    for (const item of iterate(items)) {
      if (item.type !== 'call' || item.status.kind !== 'ended' || item.status.outcome !== 'ok') continue;
      const { detail } = item.status.display;
      if (detail?.kind === 'diff' && keep(detail.diff)) diffs.push(diffText(detail.diff));
    }
  }
  return diffs.join('\n');
}
