/*
 * Keys of the transcript. They work on what is on the page rather than on the session, since the order that
 * counts is the one that is seen: J and K walk the cards, Alt+Up and Alt+Down the chapters, A and R decide.
 */

import { hasModifier, isPlainKey, moveFocus } from '../ui/keys.ts';

export function handleTranscriptKey(event: KeyboardEvent): void {
  const transcript = event.currentTarget as HTMLElement;
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === 'ArrowDown') walk(event, transcript, '[data-chapter-heading]', 1);
    if (event.key === 'ArrowUp') walk(event, transcript, '[data-chapter-heading]', -1);
    return;
  }
  if (hasModifier(event) || event.isComposing || isTyping(event)) return;
  const key = event.key.toLowerCase();
  if (key === 'j') walk(event, transcript, '[data-card]', 1);
  if (key === 'k') walk(event, transcript, '[data-card]', -1);

  const card = (event.target as Element).closest<HTMLElement>('[data-card]');
  if (!card) return;
  if (key === 'a') press(event, card, '[data-action=accept]');
  if (key === 'r') press(event, card, '[data-action=reject]');
  const isUnfold = isPlainKey(event, 'Enter') || isPlainKey(event, ' ');
  if (isUnfold && event.target === card) press(event, card, '[data-toggle]');
}

function walk(event: KeyboardEvent, transcript: HTMLElement, selector: string, step: 1 | -1): void {
  event.preventDefault();
  moveFocus([...transcript.querySelectorAll<HTMLElement>(selector)], step);
}

function press(event: KeyboardEvent, card: HTMLElement, selector: string): void {
  const control = card.querySelector<HTMLElement>(selector);
  if (!control) return;
  event.preventDefault();
  control.click();
}

function isTyping(event: KeyboardEvent): boolean {
  return (event.target as Element).closest('input, textarea, vscode-text-field') !== null;
}
