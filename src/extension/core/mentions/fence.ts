import { ticksAround } from '../../base/text.ts';

/** Between ticks, more of them than the text itself holds in a row, so that no line of it can end the fence. */
export function fence(text: string): string {
  const ticks = ticksAround(text);
  return `${ticks}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`;
}
