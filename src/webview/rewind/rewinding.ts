/* Texts about a rewind: its target and its effect on files. */

import type { RewindScope, RewindTarget } from '../../protocol/intentions.ts';
import { plural, t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import type { RestoredFile } from '../../protocol/values.ts';
import { shortened } from '../../protocol/words/cutText.ts';

export const resultWords = (): Readonly<Record<RestoredFile['result'], string>> => ({
  restored: t('restored'),
  created: t('restored (was deleted)'),
  deleted: t('removed (was created)'),
  merged: t('merged with your edits'),
  conflict: t('kept: conflicts with your edits'),
  lost: t('no longer kept'),
});

/** Returns the files that could not be restored. */
export function filesNotRestored(files: readonly RestoredFile[]): readonly RestoredFile[] {
  return files.filter(({ result }) => result === 'conflict' || result === 'lost');
}

/** Returns for example `3 files restored, 1 file left as it is`; empty if no file was affected. */
export function describeRestored(files: readonly RestoredFile[]): string {
  const left = filesNotRestored(files).length;
  const back = files.length - left;
  const parts = [
    back > 0 ? plural(back, 'one: {0} file restored | other: {0} files restored') : '',
    left > 0 ? plural(left, 'one: {0} file not changed | other: {0} files not changed') : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Returns for example `Rewound to before “Fix the total”`. */
export function describeRewound(
  scope: RewindScope,
  to: RewindTarget,
  chapters: readonly PanelChapter[],
): string {
  const name = nameOf(to, chapters);
  if (to.kind === 'call') return name ? t('Undid {0}', name) : t('Undid a command');
  switch (scope) {
    case 'both':
      return name ? t('Rewound to before “{0}”', name) : t('Rewound to an earlier point');
    case 'conversation':
      return name
        ? t('Conversation rewound to before “{0}”', name)
        : t('Conversation rewound to an earlier point');
    case 'files':
      return name ? t('Files restored to before “{0}”', name) : t('Files restored to an earlier point');
  }
}

/** @param chapters before the rewind */
function nameOf(to: RewindTarget, chapters: readonly PanelChapter[]): string | undefined {
  if (to.kind === 'chapter') return chapters.find(({ id }) => id === to.chapterId)?.title;
  for (const chapter of chapters)
    for (const item of iterate(chapter.items))
      if (to.kind === 'call') {
        if (item.type === 'call' && item.id === to.callId) return shorten(item.title);
      } else if (item.type === 'prompt' && item.id === to.turnId) return shorten(item.text);
  return undefined;
}

function shorten(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return shortened(line, 60);
}
