import { MarkdownString } from 'vscode';
import { writerNames } from '../../../protocol/changes.ts';
import { plural, t } from '../../../protocol/language.ts';
import { isOverwritten } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';

/** Lines of removed text that a hover shows. */
const shownLines = 30;

const linked = {
  accept: 'folio.review.acceptHunk',
  reject: 'folio.review.rejectHunk',
  peek: 'folio.review.peekHunk',
} as const;

/** Shows the removed lines and the available decisions. Its links can run only these commands. */
export function hunkHover(path: string, review: FileReview, hunk: Hunk, language: string): MarkdownString {
  const hover = new MarkdownString('', true);
  hover.isTrusted = { enabledCommands: Object.values(linked) };
  const removed = review.base.slice(hunk.baseStart, hunk.baseStart + hunk.baseCount);
  if (removed.length === 0) hover.appendMarkdown(`${t('Folio added this.')}\n\n`);
  else {
    hover.appendMarkdown(
      hunk.count === 0 ? `${t('Folio removed:')}\n\n` : `${t('Before Folio’s change:')}\n\n`,
    );
    hover.appendCodeblock(
      removed
        .slice(0, shownLines)
        .join('')
        .replace(/\r?\n$/, ''),
      language,
    );
    const hidden = removed.length - shownLines;
    if (hidden > 0)
      hover.appendMarkdown(`\n\n${plural(hidden, 'one: {0} more line | other: {0} more lines')}\n\n`);
  }
  const lines = hunk.writers?.flatMap(writer => (writer.kind === 'command' ? [writer.line] : [])) ?? [];
  for (const name of writerNames(hunk)) {
    hover.appendMarkdown(`${t('Written by:')} `);
    if (lines.includes(name)) hover.appendCodeblock(name, 'shellscript');
    else hover.appendText(`${name}\n\n`);
  }
  if (isOverwritten(review, hunk))
    hover.appendMarkdown(`\n\n${t('This change no longer applies: these lines have changed.')}\n\n`);
  else if (hunk.touched) hover.appendMarkdown(`\n\n${t('You edited this change.')}\n\n`);
  const place = encodeURIComponent(JSON.stringify([{ path, hunkId: hunk.id }]));
  const link = (title: string, command: string) => `[${title}](command:${command}?${place})`;
  const links = [link(t('Accept'), linked.accept), link(t('Reject'), linked.reject)];
  if (removed.length > 0) links.push(link(t('Peek'), linked.peek));
  hover.appendMarkdown(`\n\n${links.join('&nbsp;&nbsp;|&nbsp;&nbsp;')}`);
  return hover;
}
