import { useComputed } from '@preact/signals';
import { activeMsAt, waitedMsAt } from '../../protocol/fold/activity.ts';
import { plural, t } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { factsOf, totalFiles } from '../ui/totals.ts';
import { Facts } from '../ui/words.tsx';

/** Shows for example `2 files +14 −3 · 5 calls · 45k tokens · 91% cached · $0.04 · 2 min`. */
export function ChapterFacts({ chapter }: { readonly chapter: PanelChapter }) {
  const facts = factsOf(chapter, useTimes(chapter));
  return (
    <>
      {chapter.files.length > 0 && (
        <span class="fact">
          <ChapterFiles chapter={chapter} />
          {facts.length > 0 && ' ·'}
        </span>
      )}
      {chapter.files.length > 0 && facts.length > 0 && ' '}
      <Facts facts={facts} />
    </>
  );
}

/** Returns the times of a chapter. Those of a running one follow the clock. */
export function useTimes(chapter: PanelChapter) {
  const { store } = usePanel();
  const session = store.session.value;
  if (chapter.status === 'done' || !session) return { waitedMs: 0, ...chapter };
  const now = store.now.value;
  return { activeMs: activeMsAt(session, chapter, now), waitedMs: waitedMsAt(session, chapter, now) };
}

/** Shows for example `2 files +14 −3`, with a mark while changes are pending. */
function ChapterFiles({ chapter }: { readonly chapter: PanelChapter }) {
  const { store } = usePanel();
  const isPending = useComputed(() => store.pendingChapters.value.has(chapter.id)).value;
  const totals = totalFiles(chapter.files);
  return (
    <>
      {plural(totals.files, 'one: {0} file | other: {0} files')} <ChangeCounts {...totals} />
      {isPending && (
        <span class="pending-mark" title={t('Waits for review')}>
          <span class="sr-only">{`, ${t('waits for review')}`}</span>
        </span>
      )}
    </>
  );
}
