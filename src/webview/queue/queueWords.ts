import type { QueuedPrompt } from '../../protocol/events.ts';
import { plural } from '../ui/format.ts';

export const whenWords: Readonly<Record<QueuedPrompt['when'], string>> = {
  next: 'next',
  steer: 'at the next step',
};

export function describeQueue(count: number): string {
  if (count === 0) return 'No prompt waits';
  return `${plural(count, 'prompt')} ${count === 1 ? 'waits' : 'wait'}`;
}

/** A short form of a prompt, for a line or two. */
export function shownPrompt({ text, attachments }: QueuedPrompt): string {
  if (attachments.length === 0) return text;
  return [text, plural(attachments.length, 'attachment')].filter(Boolean).join(' · ');
}

/** Enough to tell the prompts apart in the names of their buttons. */
export function shortName(prompt: QueuedPrompt): string {
  const shown = shownPrompt(prompt);
  return shown.length > 40 ? `${shown.slice(0, 39).trimEnd()}…` : shown;
}
