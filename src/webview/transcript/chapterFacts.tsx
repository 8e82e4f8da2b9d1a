import { useComputed } from '@preact/signals';
import type { Usage } from '../../protocol/events.ts';
import { activeMsAt, waitedMsAt } from '../../protocol/fold/activity.ts';
import { plural, t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelChapter, PanelPrompt, PanelState } from '../../protocol/panel/panelState.ts';
import { noUsage } from '../../protocol/state.ts';
import type { FileCounts } from '../../protocol/values.ts';
import { usePanel } from '../panel/panel.ts';
import { beginsTurn } from '../panel/turns.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { chapterFactList, totalFiles } from '../ui/totals.ts';
import { Facts } from '../ui/words.tsx';

interface ChapterFactsProps {
  readonly chapter: PanelChapter;
  /** Those that nothing else shows. */
  readonly files?: readonly FileCounts[];
}

/** Shows for example `2 files +14 −3 · 5 calls · 45k tokens · 91% cached · $0.04 · 2 min`. */
export function ChapterFacts({ chapter, files = chapter.files }: ChapterFactsProps) {
  const facts = useFacts(chapter);
  return (
    <>
      {files.length > 0 && (
        <span class="fact">
          <ChapterFiles chapter={chapter} />
          {facts.length > 0 && ' ·'}
        </span>
      )}
      {files.length > 0 && facts.length > 0 && ' '}
      <Facts facts={facts} />
    </>
  );
}

/** Returns the facts of a chapter, without spending that the prompt above already shows as its own. */
export function useFacts(chapter: PanelChapter): readonly string[] {
  const { store } = usePanel();
  const isShown = useComputed(() => isSpentByPrompt(chapter, store.session.value)).value;
  return chapterFactList(
    isShown ? { ...chapter, usage: noUsage, cost: undefined } : chapter,
    useTimes(chapter),
  );
}

function isSpentByPrompt({ id, usage }: PanelChapter, session: PanelState | undefined): boolean {
  const chapters = session?.chapters ?? [];
  const at = chapters.findIndex(chapter => chapter.id === id);
  const [own, ...before] = chapters
    .slice(0, at + 1)
    .reverse()
    .map(promptsOf);
  const above = before.find(prompts => prompts.length > 0)?.slice(-1) ?? [];
  const isSame = (spent: Usage) => usageParts.every(part => spent[part] === usage[part]);
  return [...above, ...(own ?? [])].some(({ spent }) => spent && isSame(spent.usage));
}

const usageParts = ['prompt', 'cached', 'output', 'thoughts'] as const;

function promptsOf({ items }: PanelChapter): readonly PanelPrompt[] {
  return [...iterate(items)].filter(beginsTurn);
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
