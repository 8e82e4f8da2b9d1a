import { t } from '../../../protocol/language.ts';
import type { Chapter, SessionState } from '../../../protocol/state.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { chapterBlocks, untitled } from './chapterMarkdown.ts';
import { codeSpan, escapeInline, heading } from './markdownText.ts';
import { modelLinesByItem } from './turnModels.ts';
import { describeTotals, sessionTotals } from './workTotals.ts';

/** Formats a session as one document with masked secrets. Omits an empty opening. */
export function sessionMarkdown(state: SessionState): string {
  const chapters = state.chapters.filter(chapter => !isEmptyOpening(chapter));
  const title = state.title || untitled();
  const [only] = chapters;
  const models = modelLinesByItem(state, chapters);
  const blocks =
    only && chapters.length === 1
      ? chapterBlocks(only, only.title || title, 1, models)
      : [
          heading(1, escapeInline(title)),
          [startedAt(state), codeSpan(state.model), describeTotals(sessionTotals(state))]
            .filter(fact => fact !== '')
            .join(' · '),
          ...chapters.flatMap(chapter => chapterBlocks(chapter, chapterTitle(chapter), 2, models)),
        ];
  return `${maskSecrets(blocks.join('\n\n'))}\n`;
}

function isEmptyOpening({ number, items }: Chapter): boolean {
  return number === 0 && items.length === 0;
}

function chapterTitle({ number, title }: Chapter): string {
  return number === 0 ? t('Opening') : `${number}. ${title}`;
}

/** Formats `2026-11-21 05:54 UTC`; empty if unknown. */
function startedAt({ chapters }: SessionState): string {
  const at = chapters[0]?.startedAt ?? 0;
  return at > 0 ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
}
