/* Links that open the panel with a prompt: `vscode://folio.folio/prompt?text=Fix%20the%20tests`. */

import { t } from '../../../../protocol/language.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { headOf } from '../../../base/text.ts';

/** Maximal characters of a prompt in a link. */
const textLimit = 10_000;

/** The prompt of a link, or a sentence on why there is none. */
type PromptLink =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'refused'; readonly sentence: string };

/**
 * Parses a link to Folio. Any web page may contain one, so invisible characters are escaped.
 * @param path of the address, for example `/prompt`
 * @param query of the address, decoded. VS Code decodes it before it can be split, so there is only one parameter, and
 * ampersands belong to its text.
 */
export function readPromptLink(path: string, query: string): PromptLink {
  if (path !== '/prompt')
    return refuse(t('Folio does not support links to “{0}”, only to “/prompt”.', headOf(path, 60)));
  const given = /^text=(.*)$/s.exec(query)?.[1] ?? '';
  // Forms encode blanks as plus signs. If there is a blank, a plus sign is literal.
  const text = escapeInvisibleText(given.includes(' ') ? given : given.replaceAll('+', ' ')).trim();
  if (text === '') return refuse(t('The link contains no prompt. Example: “/prompt?text=Fix the tests”.'));
  if (text.startsWith('!'))
    return refuse(
      t('The prompt of the link begins with “!”. Folio only runs commands that you type yourself.'),
    );
  if (text.length > textLimit)
    return refuse(
      t('The prompt of the link has {0} characters. The limit for links is {1}.', text.length, textLimit),
    );
  return { kind: 'prompt', text };
}

function refuse(sentence: string): PromptLink {
  return { kind: 'refused', sentence };
}
