import { useComputed } from '@preact/signals';
import type { PanelChapter } from '../../protocol/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { plural } from '../ui/format.ts';
import { totalFiles } from '../ui/totals.ts';

/** `2 files +14 −3`, with a mark while some of it waits for review. */
export function ChapterFiles({ chapter }: { readonly chapter: PanelChapter }) {
  const { store } = usePanel();
  const isPending = useComputed(() => store.pendingChapters.value.has(chapter.id)).value;
  const totals = totalFiles(chapter.files);
  return (
    <>
      {plural(totals.files, 'file')} <ChangeCounts added={totals.added} removed={totals.removed} />
      {isPending && (
        <span class="pending-mark" title="Waits for review">
          <span class="sr-only">, waits for review</span>
        </span>
      )}
    </>
  );
}
