import { lastItem } from '../../protocol/pages.ts';
import type { Chapter } from '../../protocol/state.ts';
import { Icon } from '../ui/icon.tsx';

/** At the right edge of a chapter's line: works, was broken off, or is done. */
export function ChapterStatus({ chapter }: { readonly chapter: Chapter }) {
  if (chapter.status === 'live')
    return (
      <>
        <span class="sr-only">, in progress</span>
        <span class="pulse" aria-hidden="true" />
      </>
    );
  const isBroken = lastItem(chapter.items)?.type === 'end';
  return (
    <>
      <span class="sr-only">{isBroken ? ', not finished' : ', done'}</span>
      <Icon name={isBroken ? 'circle-slash' : 'check'} class="quiet" />
    </>
  );
}
