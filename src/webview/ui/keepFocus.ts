/* Keeps the focus where the next word would be typed, and the keys that decide away from what is being typed. */

/** Does nothing while another page of the panel is shown, which keeps its own focus. */
export function focusPrompt(): void {
  document.querySelector<HTMLElement>('.prompt-field')?.focus({ preventScroll: true });
}

/** Gives the focus to the prompt where no element of the page has it, and on a page without one to its list. */
export function returnFocus(): void {
  if (!document.hasFocus() || document.activeElement !== document.body) return;
  focusPrompt();
  if (document.activeElement !== document.body) return;
  const list = document.querySelector<HTMLElement>('.list-page');
  (list?.querySelector<HTMLElement>('.search-field input') ?? list)?.focus({ preventScroll: true });
}

/** Gives the focus to the prompt before the card that has it goes with a decision. */
export function leaveCard(): void {
  // A key in an editor may decide, too: the focus stays there then.
  if (document.hasFocus() && document.activeElement?.closest('[data-card]')) focusPrompt();
}

/**
 * Gives the focus to the prompt when the page gets it without an element of its own, when the element that had it
 * goes, and when something is typed while nothing has it or a control around the prompt. Returns what ends that.
 */
export function keepFocus(): () => void {
  const ends = new AbortController();
  const options = { signal: ends.signal, capture: true };
  let last: EventTarget | null = null;
  document.addEventListener('focusin', event => (last = event.target), options);
  // A press gives the focus to what is pressed after the window has it.
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
    if (last instanceof Node && !last.isConnected) returnFocus();
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
 * A control around the prompt, which has the focus after its menu was closed. Menus and cards have letters of their
 * own, an open list gives the focus to its entries, and in a closed one a letter would choose a mode or model unseen.
 */
function hasNoUseForLetters(element: Element | null): boolean {
  if (!element?.matches('select, button, vscode-button') || element.closest('[role=menu]')) return false;
  const around = element.closest('.composer, .strips, .welcome, [data-card], [data-cards]');
  return around?.matches('.composer, .strips, .welcome') ?? false;
}

/** In a field with text these keys edit or send it. VS Code, which makes commands of them, does not hear of them then. */
function keepDecisionsFromText(signal: AbortSignal): void {
  let isText = false;
  const isDecision = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
    (ctrlKey || metaKey) && (key === 'Enter' || key === 'Backspace');
  // The field may be empty again once it has sent its text.
  const note = ({ target }: Event) => (isText = hasText(target));
  document.addEventListener('keydown', note, { signal, capture: true });
  const keep = (event: KeyboardEvent) => {
    if (isText && isDecision(event)) event.stopPropagation();
  };
  document.addEventListener('keydown', keep, { signal });
}

function hasText(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  // A mark has the value "on", which is no text.
  return isField && !target.matches('[type=checkbox], [type=radio]') && target.value !== '';
}

/** Cards that ask while words of the user wait behind them, with whether the user knows. */
const waitedFor = new WeakMap<Element, 'unknown' | 'known'>();

/** Notes that words were sent that no card which asks now lets through before it is decided. */
export function noteWaitingWords(): void {
  for (const card of document.querySelectorAll('[data-ask]')) waitedFor.set(card, 'unknown');
}

/** True once for a card that holds words of the user back: they may object to what a key would accept. */
export function holdsWordsBack(card: Element): boolean {
  const state = waitedFor.get(card) ?? (document.querySelector('[data-steers]') ? 'unknown' : 'known');
  if (state === 'known') return false;
  waitedFor.set(card, 'known');
  // A key that is held down comes again.
  markReady(card);
  return true;
}

/** The newest key of this page, and when it was pressed: one that is held down comes again and again. */
const newestKey = { at: -Infinity, pressedAt: -Infinity };

function noteKey({ repeat, timeStamp }: KeyboardEvent): void {
  newestKey.at = timeStamp;
  if (!repeat) newestKey.pressedAt = timeStamp;
}

/** Milliseconds that a key takes at most to come back as a command. */
const commandDelay = 1000;

const readyAt = new WeakMap<Element, number>();

/** Notes that a card has been there long enough to have been seen. */
export function markReady(card: Element): void {
  readyAt.set(card, performance.now());
}

/** False for a command whose key was pressed on this page before the card could have been seen. */
export function wasSeen(card: Element): boolean {
  const ready = readyAt.get(card) ?? Infinity;
  const now = performance.now();
  const isFromKey = document.hasFocus() && now - newestKey.at < commandDelay;
  return ready <= (isFromKey ? newestKey.pressedAt : now);
}
