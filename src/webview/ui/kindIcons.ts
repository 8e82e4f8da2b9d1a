import type { CompletionChoice } from '../../protocol/mentions.ts';
import type { IconName } from './icons.ts';

/** A thing that can be mentioned looks the same while it is chosen and once it is sent. */
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
