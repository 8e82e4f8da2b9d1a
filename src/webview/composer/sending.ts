/* Ways to send a prompt while the agent works. At rest all send at once. */

import type { Intention } from '../../protocol/intentions.ts';
import { t } from '../../protocol/language.ts';
import type { Panel } from '../panel/panel.ts';
import type { Store } from '../panel/store.ts';
import { noteWaitingPrompt } from '../ui/keepFocus.ts';
import { commandKey } from '../ui/systemKeys.ts';

export type SendWay = Intention<'prompt.send'>['how'];

export const steerKeys = `${commandKey}Enter`;

/** In the order of the menu. */
export const sendWays = (): readonly {
  readonly way: SendWay;
  readonly label: string;
  readonly keys: string;
}[] => [
  { way: 'next', label: t('Send next'), keys: 'Enter' },
  { way: 'steer', label: t('Steer now'), keys: `${commandKey}Enter` },
  { way: 'stopAndSend', label: t('Stop and send'), keys: `${commandKey}Shift+Enter` },
];

/** Returns the way that a key sends; `undefined` for other keys. */
export function sendWayOf(event: KeyboardEvent): SendWay | undefined {
  if (event.key !== 'Enter' || event.altKey) return undefined;
  if (!event.ctrlKey && !event.metaKey) return event.shiftKey ? undefined : 'next';
  return event.shiftKey ? 'stopAndSend' : 'steer';
}

/** Handles line breaks other than Shift+Enter, such as Alt+Enter, which not all systems support. */
export function isLineBreak(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && event.altKey && !event.ctrlKey && !event.metaKey;
}

/** Returns true if the draft is a command of the user. */
export function isShellDraft({ draft, isShell }: Pick<Store, 'draft' | 'isShell'>): boolean {
  return isShell.value || draft.value.trimStart().startsWith('!');
}

export function sendDraft({ store, act }: Panel, way: SendWay): void {
  const typed = store.draft.peek().trim();
  if (typed === '!') {
    store.isShell.value = !store.isShell.peek();
    store.draft.value = '';
    return;
  }
  if (isShellDraft(store)) {
    runDraft({ store, act }, typed, way);
    return;
  }
  const text = typed;
  const attachments = store.attachments.peek();
  if (text === '' && attachments.length === 0) return;
  if (isKey(text)) {
    // Clears the draft, which would be stored on disk.
    store.draft.value = '';
    store.hint.value = t('Looks like an API key, so Folio did not send it. Set it with "Connect a model".');
    return;
  }
  act({ type: 'prompt.send', text, attachments, how: way });
  if (way === 'steer') noteWaitingPrompt();
  store.draft.value = '';
  store.attachments.value = [];
  store.hint.value = '';
}

/** Sends the draft as a command. Attachments stay for the next prompt. */
function runDraft({ store, act }: Panel, typed: string, how: SendWay): void {
  if (typed === '') return;
  act({ type: 'prompt.send', text: typed.startsWith('!') ? typed : `!${typed}`, attachments: [], how });
  store.draft.value = '';
  store.hint.value = '';
}

/** Returns true if the text is only an API key, as of Google, OpenAI and the like. */
function isKey(text: string): boolean {
  return /^(AIza[\w-]{30,}|sk-[\w-]{20,})$/.test(text);
}
