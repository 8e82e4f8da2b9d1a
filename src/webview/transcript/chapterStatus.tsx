import { lastItem } from '../../protocol/pages.ts';
import type { Chapter } from '../../protocol/state.ts';
import { Icon } from '../ui/icon.tsx';

/** At the right edge of a chapter's line: works, was broken off, or is done. */
export function ChapterMark({ chapter }: { readonly chapter: Chapter }) {
  if (chapter.status === 'live') return <span class="pulse" aria-hidden="true" />;
  return <Icon name={isBrokenOff(chapter) ? 'circle-slash' : 'check'} class="quiet" />;
}

/** What the mark says, as the end of the line's name. */
export function ChapterStatusWords({ chapter }: { readonly chapter: Chapter }) {
  return <span class="sr-only">, {wordsOf(chapter)}</span>;
}

function wordsOf(chapter: Chapter): string {
  if (chapter.status === 'live') return 'in progress';
  return isBrokenOff(chapter) ? 'not finished' : 'done';
}

function isBrokenOff(chapter: Chapter): boolean {
  return chapter.brokenOff ?? lastItem(chapter.items)?.type === 'end';
}
