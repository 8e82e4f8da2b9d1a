/* Keeps the focus in the prompt, and prevents keys that decide from acting while the user types. */

/** Focuses the prompt, unless another page of the panel is shown. */
export function focusPrompt(): void {
  document.querySelector<HTMLElement>('.prompt-field')?.focus({ preventScroll: true });
}

/** The element that had the focus last. */
let last: HTMLElement | undefined;

/** Focuses the prompt, or on other pages what had the focus, if no element has it. */
export function returnFocus(): void {
  if (!document.hasFocus() || document.activeElement !== document.body) return;
  focusPrompt();
  const list = document.querySelector<HTMLElement>('.list-page');
  const before =
    last && list?.contains(last) ? last : list?.querySelector<HTMLElement>('.search-field input');
  (before ?? list)?.focus({ preventScroll: true });
}

/** Focuses the prompt if a decided card has the focus, before the card unmounts. */
export function focusPromptFromCard(): void {
  // If a key in an editor decided, the focus stays there.
  if (document.hasFocus() && document.activeElement?.closest('[data-card]')) focusPrompt();
}

/**
 * Focuses the prompt when the page gets the focus without an element, when the focused element unmounts, and when the
 * user types while nothing or a control around the prompt has the focus. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  const ends = new AbortController();
  const options = { signal: ends.signal, capture: true };
  document.addEventListener('focusin', event => (last = event.target as HTMLElement), options);
  // A click focuses its element only after the window has got the focus.
  window.addEventListener('focus', () => requestAnimationFrame(returnFocus), { signal: ends.signal });
  document.addEventListener(
    'keydown',
    event => {
      const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isTyped || event.key === ' ') return;
      if (hasNoUseForLetters(document.activeElement)) focusPrompt();
      else returnFocus();
    },
    options,
  );
  const removals = new MutationObserver(() => {
    if (last?.isConnected === false) returnFocus();
  });
  window.addEventListener('keydown', noteKey, options);
  removals.observe(document.body, { childList: true, subtree: true });
  keepDecisionsFromText(ends.signal);
  return () => {
    ends.abort();
    removals.disconnect();
  };
}

/**
 * Returns true for a control around the prompt, which has the focus after its menu closed. In a closed select a letter
 * would choose a mode or model unnoticed. Menus and cards use letters themselves.
 */
function hasNoUseForLetters(element: Element | null): boolean {
  if (!element?.matches('select, button, vscode-button') || element.closest('[role=menu]')) return false;
  const around = element.closest('.composer, .strips, .welcome, [data-card], [data-cards]');
  return around?.matches('.composer, .strips, .welcome') ?? false;
}

/** Milliseconds after it erased a word, in which the same key does not deny. */
const eraseDelay = 1000;

/** Hides these keys from VS Code in a field with text, where they edit or send it instead of deciding. */
function keepDecisionsFromText(signal: AbortSignal): void {
  let isText = false;
  let erasedAt = -Infinity;
  const isDecision = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
    (ctrlKey || metaKey) && (key === 'Enter' || key === 'Backspace');
  // Notes this before the key, which may empty the field by sending.
  const note = ({ target, key, timeStamp }: KeyboardEvent) => {
    const isErasing = key === 'Backspace';
    isText = hasText(target) || (isErasing && timeStamp - erasedAt < eraseDelay);
    if (isText && isErasing) erasedAt = timeStamp;
  };
  document.addEventListener('keydown', note, { signal, capture: true });
  const keep = (event: KeyboardEvent) => {
    if (isText && isDecision(event)) event.stopPropagation();
  };
  document.addEventListener('keydown', keep, { signal });
}

function hasText(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  // Checkboxes and radio buttons have a value, but no text.
  return isField && !target.matches('[type=checkbox], [type=radio]') && target.value !== '';
}

/** Cards that hold back a prompt of the user, and whether the user was told. */
const waitedFor = new WeakMap<Element, 'unknown' | 'known'>();

/** Records that a prompt was sent that waits for the current asks. */
export function noteWaitingPrompt(): void {
  for (const card of document.querySelectorAll('[data-ask]')) waitedFor.set(card, 'unknown');
}

/** Returns true once for a card that holds back a prompt, which may object to what a key would accept. */
export function consumePromptHold(card: Element): boolean {
  const state = waitedFor.get(card) ?? (document.querySelector('[data-steers]') ? 'unknown' : 'known');
  if (state === 'known') return false;
  waitedFor.set(card, 'known');
  // A held key repeats.
  markCardSeen(card);
  return true;
}

/** Newest key of this page, and when it was first pressed. A held key repeats. */
const newestKey = { at: -Infinity, pressedAt: -Infinity };

function noteKey({ repeat, timeStamp }: KeyboardEvent): void {
  newestKey.at = timeStamp;
  if (!repeat) newestKey.pressedAt = timeStamp;
}

/** Maximum milliseconds from a key to its command. */
const commandDelay = 1000;

const readyAt = new WeakMap<Element, number>();

/** Records that a card was visible long enough to be seen. */
export function markCardSeen(card: Element): void {
  readyAt.set(card, performance.now());
}

/** Returns false if the key of a command was pressed before the card could be seen. */
export function wasCardSeen(card: Element): boolean {
  const ready = readyAt.get(card) ?? Infinity;
  const now = performance.now();
  const isFromKey = document.hasFocus() && now - newestKey.at < commandDelay;
  return ready <= (isFromKey ? newestKey.pressedAt : now);
}
