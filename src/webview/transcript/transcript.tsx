import { effect, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { heldHint, noLastingChoiceHint } from '../approval/decisionKeys.ts';
import { usePanel } from '../panel/panel.ts';
import { isFolded } from '../panel/store.ts';
import { RewindNotice } from '../rewind/rewindNotice.tsx';
import { handleTranscriptKey, moveByCommand } from '../ui/cardKeys.ts';
import { Icon } from '../ui/icon.tsx';
import { ActivityLine } from './activityLine.tsx';
import { ChapterSection } from './chapterSection.tsx';
import { useAutoScroll } from './following.ts';
import { Outline } from './outline.tsx';
import { showPlace } from './showPlace.ts';
import { TurnEndView } from './turnEndView.tsx';
import { Welcome } from './welcome.tsx';

export function Transcript() {
  const { store } = usePanel();
  const { view, content, isFollowing, hasNews, onScroll, toEnd } = useAutoScroll(store);
  const inView = useSignal<string | undefined>(undefined);
  const isOutlineOpen = useComputed(() => store.view.value === 'outline');

  // Scrolls to a prompt that was just sent, and to the note of a rewind.
  const seen = useRef<readonly unknown[]>(undefined);
  useSignalEffect(() => {
    const session = store.session.value;
    const news = [countTurn(session?.activity), session?.rewound];
    if (seen.current && news.some((each, at) => each && each !== seen.current?.[at]))
      requestAnimationFrame(toEnd);
    seen.current = news;
  });

  // Applies moves immediately, since the next one starts from there.
  useEffect(() => {
    const known = store.moved.peek();
    return effect(() => {
      const moved = store.moved.value;
      if (!moved || moved === known || !view.current) return;
      const left = moveByCommand(view.current, moved.move);
      if (left) store.hint.value = left === 'held' ? heldHint() : noLastingChoiceHint();
    });
  }, [store, view]);

  useSignalEffect(() => {
    const sought = store.sought.value;
    if (!sought) return;
    store.sought.value = undefined;
    showPlace(store, sought);
  });

  const onViewScroll = () => {
    onScroll();
    if (view.current) inView.value = findChapterAbove(view.current);
  };
  return (
    <div class="transcript-frame">
      <StickyHeading chapterId={inView.value} />
      <div
        class={isFollowing.value ? 'transcript following' : 'transcript'}
        ref={view}
        role="log"
        data-cards
        aria-live="off"
        aria-label={t('Transcript')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key.
        tabIndex={0}
        onScroll={onViewScroll}
        onKeyDown={handleTranscriptKey}
      >
        <div class="transcript-content" ref={content}>
          <Welcome />
          <Chapters />
          <TurnEndView />
          <RewindNotice />
          <ActivityLine />
        </div>
      </div>
      {hasNews.value && <NewBelow onPress={toEnd} />}
      {isOutlineOpen.value && <Outline />}
    </div>
  );
}

function Chapters() {
  const { store } = usePanel();
  const foldsFinished = useComputed(() => store.environment.value?.foldFinishedChapters ?? true).value;
  const session = store.session.value;
  if (!session) return null;
  const folds = store.folds.value;
  return (
    <>
      {session.chapters.map((chapter, index) => (
        // The key includes the session, since ids are unique only within one and answers cache their rendering.
        <ChapterSection
          key={`${session.sessionId} ${chapter.id}`}
          chapter={chapter}
          folded={isFolded(folds, chapter, foldsFinished && index < session.chapters.length - 1)}
        />
      ))}
    </>
  );
}

function NewBelow({ onPress }: { readonly onPress: () => void }) {
  const { store } = usePanel();
  const isAsking = useComputed(() => {
    const status = store.session.value?.activity.status;
    return status === 'waiting' || status === 'choosing';
  }).value;
  return (
    <button type="button" class={isAsking ? 'new-below asking' : 'new-below'} onClick={onPress}>
      <Icon name="arrow-down" />
      {isAsking ? t('Your decision is needed') : t('New below')}
    </button>
  );
}

/** Heading of the visible chapter, shown while the real one is scrolled out of view. */
function StickyHeading({ chapterId }: { readonly chapterId: string | undefined }) {
  const { store } = usePanel();
  const chapter = useComputed(() => store.session.value?.chapters).value?.find(each => each.id === chapterId);
  if (!chapter || chapter.number === 0) return null;
  return (
    <button
      type="button"
      class="sticky-heading"
      title={chapter.title}
      onClick={() => (store.view.value = 'outline')}
    >
      <span class="chapter-number">{chapter.number}</span>
      <span class="ellipsis">{chapter.title}</span>
      <span class="sr-only">{`, ${t('show the outline')}`}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** Returns the chapter at the upper edge, if its heading is above the edge. */
function findChapterAbove(view: HTMLElement): string | undefined {
  const edge = view.getBoundingClientRect().top;
  let found: string | undefined;
  for (const section of view.querySelectorAll<HTMLElement>('[data-chapter]')) {
    if (section.getBoundingClientRect().top >= edge - 4) break;
    found = section.getBoundingClientRect().bottom > edge + 32 ? section.dataset.chapter : undefined;
  }
  return found;
}

function countTurn(activity: { readonly status: string; readonly turnId?: string } | undefined) {
  return activity && activity.status !== 'resting' ? activity.turnId : undefined;
}
