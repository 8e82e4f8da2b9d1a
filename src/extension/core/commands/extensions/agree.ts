/* The user's word on what would count from now on, or be gone. */

import { plural, t } from '../../../../protocol/language.ts';
import { showHidden } from '../../../base/hiddenText.ts';
import { escapeInline, fenceBlock } from '../../export/markdownText.ts';
import { type Brought, runsPrograms } from '../../extensions/install/brought.ts';
import { Refusal } from '../../refusal.ts';
import type { CommandSurface, Confirmation } from '../commands.ts';
import type { Words } from './parseWords.ts';

/** @param kept the sentence of the refusal of who says no: what stays as it is */
export async function agree(
  surface: CommandSurface,
  { agreed }: Pick<Words, 'agreed'>,
  question: Confirmation,
  kept: string,
): Promise<void> {
  if (agreed) {
    await surface.user.show(t('Agreed in advance'), asMarkdown(question));
    return;
  }
  switch (await surface.user.confirm(question)) {
    case 'yes':
      return;
    case 'no':
      throw new Refusal(kept);
    case 'nobody':
      throw new Refusal(
        t('{0} Check what this means, then send the same again with --yes at the end.', kept),
      );
  }
}

/** The lines stay as they are. */
export function asMarkdown({ sentence, text }: Pick<Confirmation, 'sentence' | 'text'>): string {
  return `# ${escapeInline(sentence)}\n\n${fenceBlock(showHidden(text))}\n`;
}

/** As lines: programs whole and first, the rest one line each. */
export function describeBrought(brought: readonly Brought[]): string {
  const programs = brought.filter(runsPrograms);
  const others = brought.filter(each => !runsPrograms(each));
  const blocks = [
    programs.length > 0
      ? plural(
          programs.length,
          'one: Runs on its own ({0} program):\n{1} | other: Runs on its own ({0} programs):\n{1}',
          programs.map(lineOf).join('\n'),
        )
      : t('Runs no program on its own.'),
    others.length > 0 ? t('Contains:\n{0}', others.map(lineOf).join('\n')) : '',
  ];
  return blocks.filter(Boolean).join('\n\n');
}

export function lineOf({ kind, name, detail }: Brought): string {
  return `  ${kind} ${name}: ${detail}`;
}
