/* Asks the user to agree to what an extension adds or removes. */

import { plural, t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { CommandError } from '../../commandError.ts';
import { escapeInline, fenceBlock } from '../../export/markdownText.ts';
import { type ExtensionItem, runsPrograms } from '../../extensions/install/extensionItems.ts';
import type { CommandContext, Confirmation } from '../commands.ts';
import type { ExtensionArguments } from './parseExtensionArguments.ts';

/** @param kept sentence of the refusal, about what stays unchanged */
export async function askToAgree(
  surface: CommandContext,
  { agreed }: Pick<ExtensionArguments, 'agreed'>,
  question: Confirmation,
  kept: string,
): Promise<void> {
  if (agreed) {
    await surface.user.show(t('Agreed in advance'), confirmationMarkdown(question));
    return;
  }
  switch (await surface.user.confirm(question)) {
    case 'yes':
      return;
    case 'no':
      throw new CommandError(kept);
    case 'nobody':
      throw new CommandError(
        t('{0} Check what this means, then send the same again with --yes at the end.', kept),
      );
  }
}

/** Preserves the lines of the text. */
export function confirmationMarkdown({ sentence, text }: Pick<Confirmation, 'sentence' | 'text'>): string {
  return `# ${escapeInline(sentence)}\n\n${fenceBlock(escapeInvisibleText(text))}\n`;
}

/** Lists programs first and in full, others in one line each. */
export function describeExtensionItems(brought: readonly ExtensionItem[]): string {
  const programs = brought.filter(runsPrograms);
  const others = brought.filter(each => !runsPrograms(each));
  const blocks = [
    programs.length > 0
      ? plural(
          programs.length,
          'one: Runs on its own ({0} program):\n{1} | other: Runs on its own ({0} programs):\n{1}',
          programs.map(formatExtensionItem).join('\n'),
        )
      : t('Runs no program on its own.'),
    others.length > 0 ? t('Contains:\n{0}', others.map(formatExtensionItem).join('\n')) : '',
  ];
  return blocks.filter(Boolean).join('\n\n');
}

export function formatExtensionItem({ kind, name, detail }: ExtensionItem): string {
  return `  ${kind} ${name}: ${detail}`;
}
