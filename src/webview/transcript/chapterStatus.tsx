import { t } from '../../protocol/language.ts';
import { lastItem } from '../../protocol/pagedList.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import { Icon } from '../ui/icon.tsx';

/** Status mark of a chapter: working, interrupted or done. */
export function ChapterMark({ chapter }: { readonly chapter: PanelChapter }) {
  if (chapter.status === 'live') return <span class="pulse" aria-hidden="true" />;
  return <Icon name={isBrokenOff(chapter) ? 'circle-slash' : 'check'} class="quiet" />;
}

/** Text of the status mark for screen readers. */
export function ChapterStatusWords({ chapter }: { readonly chapter: PanelChapter }) {
  return <span class="sr-only">, {wordsOf(chapter)}</span>;
}

function wordsOf(chapter: PanelChapter): string {
  if (chapter.status === 'live') return t('in progress');
  return isBrokenOff(chapter) ? t('not finished') : t('done');
}

function isBrokenOff(chapter: PanelChapter): boolean {
  return chapter.brokenOff ?? lastItem(chapter.items)?.type === 'end';
}
