import type { QueuedPrompt } from '../../protocol/events.ts';
import { plural, t } from '../../protocol/language.ts';
import { shortened } from '../../protocol/words/cutText.ts';

export const whenWords = (): Readonly<Record<QueuedPrompt['when'], string>> => ({
  next: t('queued'),
  steer: t('after this step'),
});

export function describeQueue(count: number): string {
  if (count === 0) return t('No prompt waits');
  return plural(count, 'one: {0} prompt waits | other: {0} prompts wait');
}

/** Describes the wait for a free place; `undefined` if no prompt waits for one. */
export function describeQueueLine(queue: readonly QueuedPrompt[]): string | undefined {
  const ahead = queue.find(prompt => prompt.ahead !== undefined)?.ahead;
  if (ahead === undefined) return undefined;
  return ahead === 0 ? t('Waiting for a free slot') : t('Waiting for a free slot, {0} ahead', ahead);
}

/** Returns a prompt shortened to one or two lines. */
export function shownPrompt({ text, attachments }: QueuedPrompt): string {
  if (attachments.length === 0) return text;
  return [text, plural(attachments.length, 'one: {0} attachment | other: {0} attachments')]
    .filter(Boolean)
    .join(' · ');
}

/** Returns a short name of a prompt for the labels of its buttons. */
export function shortName(prompt: QueuedPrompt): string {
  const shown = shownPrompt(prompt);
  return shortened(shown, 40);
}
