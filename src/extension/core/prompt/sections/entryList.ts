import { oneLine } from '../../../base/text.ts';
import type { PromptEntry } from './facts.ts';

/** Characters of all descriptions together: each request pays for them. */
const room = 12_000;
const least = 60;

/** Where there are many, each is told in fewer words. */
export function entryList(entries: readonly PromptEntry[]): string {
  const whole = entries.reduce((sum, { description }) => sum + description.length, 0);
  const each = whole <= room ? Infinity : Math.max(least, Math.floor(room / entries.length));
  return entries.map(({ name, description }) => `- ${name}: ${oneLine(description, each)}`).join('\n');
}
