import { Fragment } from 'preact';
import { activeUntil } from '../../protocol/reduce.ts';
import type { Chapter } from '../../protocol/state.ts';
import { usePanel } from '../panel.ts';
import { ChapterFiles } from './chapterFiles.tsx';
import { factsOf } from './totals.ts';

/** `2 files +14 −3 · 5 calls · 45k tokens · $0.04 · 2 min`; a line breaks between facts and not in them. */
export function ChapterFacts({ chapter }: { readonly chapter: Chapter }) {
  const facts = factsOf(chapter, useActiveMs(chapter));
  return (
    <>
      {chapter.files.length > 0 && (
        <span class="fact">
          <ChapterFiles chapter={chapter} />
          {facts.length > 0 && ' ·'}
        </span>
      )}
      {facts.map((fact, index) => (
        <Fragment key={index}>
          {(index > 0 || chapter.files.length > 0) && ' '}
          <span class="fact">{index < facts.length - 1 ? `${fact} ·` : fact}</span>
        </Fragment>
      ))}
    </>
  );
}

/** Of a chapter that grows it moves with the clock. */
export function useActiveMs(chapter: Chapter): number {
  const { store } = usePanel();
  if (chapter.status === 'done') return chapter.activeMs;
  const session = store.session.value;
  return session ? activeUntil(session, chapter, store.now.value) : chapter.activeMs;
}
