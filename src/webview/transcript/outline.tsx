import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plural, t } from '../../protocol/language.ts';
import type { PanelChapter, PanelState } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { ChangeCounts } from '../review/changeCounts.tsx';
import { IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { isPlainKey, moveFocus } from '../ui/keys.ts';
import { spendingFacts, timeFacts, totalFiles } from '../ui/totals.ts';
import { createTypeAhead } from '../ui/typeAhead.ts';
import { useTimes } from './chapterFacts.tsx';
import { ChapterMark, ChapterStatusWords } from './chapterStatus.tsx';
import { showPlace } from './showPlace.ts';

/** List of chapters to jump to, over the transcript. */
export function Outline() {
  const { store } = usePanel();
  const chapters = (store.session.value?.chapters ?? []).filter(chapter => chapter.number > 0);
  const summarised = useComputed(() => summarisedChapters(store.session.value)).value;
  const close = () => (store.view.value = 'transcript');
  const jump = (chapter: PanelChapter) => {
    close();
    showPlace(store, { kind: 'chapter', id: chapter.id });
  };
  const { list, onKeyDown } = useOutlineKeys(close);
  return (
    <>
      <button
        type="button"
        class="outline-backdrop"
        tabIndex={-1}
        aria-label={t('Close the outline')}
        onClick={close}
      />
      <nav class="outline" aria-label={t('Outline')} ref={list} onKeyDown={onKeyDown}>
        <OutlineHead chapters={chapters.length} />
        <div class="outline-list">
          {chapters.map(chapter => (
            <OutlineItem
              key={chapter.id}
              chapter={chapter}
              isSummarised={summarised.has(chapter.id)}
              onPress={() => jump(chapter)}
            />
          ))}
          {chapters.length === 0 && (
            <p class="outline-empty">{t('No chapters yet. They appear as the work continues.')}</p>
          )}
        </div>
      </nav>
    </>
  );
}

/** Totals of the session, and its export. */
function OutlineHead({ chapters }: { readonly chapters: number }) {
  const { store, act } = usePanel();
  const session = store.session.value;
  if (!session || session.title === '') return null;
  const spent = spendingFacts(session);
  const facts = [
    ...(chapters > 0 ? [plural(chapters, 'one: {0} chapter | other: {0} chapters')] : []),
    ...spent,
  ].join(' · ');
  return (
    <div class="outline-head">
      <span class="outline-facts ellipsis">{facts}</span>
      <IconButton
        icon="export"
        label={t('Export session…')}
        onPress={() => act({ type: 'session.export' })}
      />
    </div>
  );
}

interface OutlineItemProps {
  readonly chapter: PanelChapter;
  readonly isSummarised: boolean;
  readonly onPress: () => void;
}

function OutlineItem({ chapter, isSummarised, onPress }: OutlineItemProps) {
  const totals = totalFiles(chapter.files);
  const facts = [...spendingFacts(chapter), ...timeFacts(useTimes(chapter).activeMs)].join(' · ');
  return (
    <button type="button" class="outline-item" title={chapter.title} onClick={onPress}>
      <span class="chapter-number">{chapter.number}</span>
      <span class="outline-text">
        <span class="outline-line">
          <span class="chapter-title ellipsis" dir="auto">
            {chapter.title}
          </span>
          {totals.files > 0 && <ChangeCounts {...totals} />}
          {isSummarised && <SummarisedMark />}
          <ChapterStatusWords chapter={chapter} />
          <ChapterMark chapter={chapter} />
        </span>
        {facts && <span class="outline-facts ellipsis">{facts}</span>}
      </span>
    </button>
  );
}

function SummarisedMark() {
  return (
    <span class="outline-summarised" title={t('Summarised')}>
      <Icon name="fold" class="quiet" />
      <span class="sr-only">{`, ${t('summarised')}`}</span>
    </span>
  );
}

/** Returns the ids of chapters of which the model knows only a summary. */
function summarisedChapters(session: PanelState | undefined): ReadonlySet<string> {
  const parts = session?.compressions.at(-1)?.plan.parts ?? [];
  return new Set(parts.filter(({ summarised }) => summarised > 0).map(({ chapterId }) => chapterId));
}

function useOutlineKeys(close: () => void) {
  const list = useRef<HTMLElement>(null);
  const letters = useRef(createTypeAhead(titleOf));
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('.outline-item') ?? [])];
  // The user opened it, so it takes the focus.
  useLayoutEffect(() => items().at(-1)?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const sought = letters.current.find(event, items());
    if (sought) moveFocus([sought], 1);
    else if (isPlainKey(event, 'ArrowDown')) moveFocus(items(), 1);
    else if (isPlainKey(event, 'ArrowUp')) moveFocus(items(), -1);
    else if (isPlainKey(event, 'Home')) moveFocus(items().slice(0, 1), 1);
    else if (isPlainKey(event, 'End')) moveFocus(items().slice(-1), 1);
    else if (isPlainKey(event, 'Escape')) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { list, onKeyDown };
}

function titleOf(item: HTMLElement): string {
  return item.querySelector('.chapter-title')?.textContent ?? '';
}
