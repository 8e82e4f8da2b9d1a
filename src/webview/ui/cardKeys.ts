/*
 * Keys of the transcript and of the list of changes, and their commands. They work on the DOM instead of the session,
 * since the visible order counts: J and K move through cards, Alt+Up and Alt+Down through chapters, A and R decide.
 */

import type { TranscriptMove } from '../../protocol/panel/messages.ts';
import { consumePromptHold, wasCardSeen } from './keepFocus.ts';
import { hasModifier, isPlainKey, moveFocus } from './keys.ts';

export function handleTranscriptKey(event: KeyboardEvent): void {
  const place = event.currentTarget as HTMLElement;
  const move = moveOf(event);
  if (!move) return;
  const card = (event.target as Element).closest<HTMLElement>('[data-card]');
  if (makeMove(place, card, move)) event.preventDefault();
}

/**
 * Applies a command, wherever the focus is. A decision applies to the card that asks.
 * @returns `held` if a decision must be repeated, since a prompt of the user waits for the card; `eachTime` if the card
 * offers no lasting permission
 */
export function moveByCommand(
  transcript: HTMLElement,
  move: TranscriptMove,
): 'held' | 'eachTime' | undefined {
  const active = document.activeElement;
  const place = active?.closest<HTMLElement>('[data-cards]') ?? transcript;
  const card = active?.closest<HTMLElement>('[data-card]') ?? null;
  const asking = transcript.querySelector<HTMLElement>('[data-ask]');
  if (!card && asking && accepting.has(move) && wasCardSeen(asking) && consumePromptHold(asking))
    return 'held';
  const decided = card ?? asking;
  if (move === 'always' && decided?.dataset.ask && !controlOf(decided, '[data-action=always]'))
    return 'eachTime';
  if (deciding.has(move)) decideByCommand(decided, move);
  else makeMove(place, card, move);
  return undefined;
}

const deciding: ReadonlySet<TranscriptMove> = new Set(['accept', 'reject', 'deny', 'always', 'terminal']);
const accepting: ReadonlySet<TranscriptMove> = new Set(['accept', 'always', 'terminal']);

/** Decides by a command. If the button or focused element is out of view, it only scrolls there. */
function decideByCommand(card: HTMLElement | null, move: TranscriptMove): void {
  if (!card) return;
  const active = document.hasFocus() && card.contains(document.activeElement) ? document.activeElement : null;
  const control = active !== card ? active : null;
  const { bottom } = (control ?? controlOf(card, '[data-action=accept]') ?? card).getBoundingClientRect();
  const view = card.closest('[data-cards]')!.getBoundingClientRect();
  const isInView = bottom > view.top && bottom <= view.bottom + 1;
  if (!isInView) card.scrollIntoView({ block: 'end' });
  else if (!card.dataset.ask || wasCardSeen(card)) makeMove(card, card, move);
}

function moveOf(event: KeyboardEvent): TranscriptMove | undefined {
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === 'ArrowDown') return 'nextChapter';
    return event.key === 'ArrowUp' ? 'previousChapter' : undefined;
  }
  if (hasModifier(event) || event.isComposing || isTyping(event)) return undefined;
  const letter = letters[event.key.toLowerCase()];
  if (letter) return letter;
  const isUnfold = isPlainKey(event, 'Enter') || isPlainKey(event, ' ');
  return isUnfold && (event.target as Element).matches('[data-card]') ? 'toggleCard' : undefined;
}

const letters: Readonly<Record<string, TranscriptMove>> = {
  j: 'nextCard',
  k: 'previousCard',
  a: 'accept',
  r: 'reject',
};

function makeMove(place: HTMLElement, card: HTMLElement | null, move: TranscriptMove): boolean {
  switch (move) {
    case 'nextChapter':
      return walk(place, '[data-chapter-heading]', 1);
    case 'previousChapter':
      return walk(place, '[data-chapter-heading]', -1);
    case 'nextCard':
      return walk(place, '[data-card]', 1);
    case 'previousCard':
      return walk(place, '[data-card]', -1);
    case 'toggleCard':
      return press(card, '[data-toggle]');
    case 'accept':
      return press(card, '[data-action=accept]');
    case 'reject':
      return press(card, '[data-action=reject]');
    case 'deny':
      return press(card, '[data-action=reject]', new Event('commanded'));
    case 'always':
    case 'terminal':
      return press(card, `[data-action=${move}]`, new Event('commanded'));
  }
}

function walk(place: HTMLElement, selector: string, step: 1 | -1): boolean {
  const stops = [...place.querySelectorAll<HTMLElement>(selector)];
  moveFocus(stops, step);
  return stops.length > 0;
}

function press(card: HTMLElement | null, selector: string, event?: Event): boolean {
  const control = card && controlOf(card, selector);
  if (!control) return false;
  if (event) control.dispatchEvent(event);
  else control.click();
  return true;
}

/** Finds a control of a card, but not of nested cards. */
function controlOf(card: HTMLElement, selector: string): HTMLElement | undefined {
  return [...card.querySelectorAll<HTMLElement>(selector)].find(each => each.closest('[data-card]') === card);
}

function isTyping(event: KeyboardEvent): boolean {
  const fields = 'input:not([type=checkbox], [type=radio]), textarea';
  return (event.target as Element).closest(fields) !== null;
}
