import type { CompletionChoice } from '../../protocol/mentions.ts';
import type { IconName } from './icons.ts';

/** Icons of mentions, in completions and in sent prompts. */
export const kindIcons: Readonly<Record<CompletionChoice['kind'], IconName>> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  problems: 'warning',
  terminal: 'terminal',
  diff: 'diff',
  url: 'globe',
  resource: 'server',
  command: 'zap',
};
