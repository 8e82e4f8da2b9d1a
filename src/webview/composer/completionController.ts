import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ToHost } from '../../protocol/intentions.ts';
import type { CompletionChoice } from '../../protocol/mentions.ts';
import type { CompletionReply } from '../panel/store.ts';
import { isPlainKey } from '../ui/keys.ts';
import {
  findTrigger,
  isAlreadyWritten,
  isSubCommand,
  replacementFor,
  type TriggerPlace,
} from './completionTrigger.ts';
import { dispatchInputEvent, insertText } from './insertText.ts';

type CompletionState =
  | { readonly status: 'closed' }
  | {
      readonly status: 'open';
      readonly place: TriggerPlace;
      readonly number: number;
      /** Newest answer, possibly to an earlier request. */
      readonly reported?: CompletionReply;
      /** Index of the choice that Enter inserts. */
      readonly active: number;
    };

type Open = Extract<CompletionState, { status: 'open' }>;

/** Tab inserts a choice `always`; Enter `unlessWritten`, and sends a text that is already complete. */
type Taking = 'always' | 'unlessWritten';

/** Completions of one text field. Asks the host as the user types; only the newest answer counts. */
export class CompletionController {
  private readonly act: (intention: ToHost) => void;
  private readonly field: () => HTMLTextAreaElement | null;
  private readonly sendPrompt: () => void;
  private readonly written: Signal<CompletionState> = signal({ status: 'closed' });
  private number = 0;
  private frame: number | undefined;
  private typed = '';
  /** Trigger position at which Escape closed the list. It stays closed for this position. */
  private dismissed: number | undefined;
  /** Trigger position of the list when the field lost the focus. */
  private left: number | undefined;
  /** Place that the newest choice replaced. */
  private taken: TriggerPlace | undefined;
  /** Set if Enter or Tab was pressed before the newest answer arrived. */
  private taking: Taking | undefined;

  /** @param sendPrompt called for an Enter that waited for an answer without choices */
  constructor(
    act: (intention: ToHost) => void,
    field: () => HTMLTextAreaElement | null,
    sendPrompt: () => void,
  ) {
    this.act = act;
    this.field = field;
    this.sendPrompt = sendPrompt;
  }

  get state(): ReadonlySignal<CompletionState> {
    return this.written;
  }

  input({ inputType }: { readonly inputType?: string }): void {
    const field = this.field();
    if (!field) return;
    this.typed = field.value;
    if (inputType === 'historyUndo') this.unselect(field);
    const place = findTrigger(field.value, field.selectionStart);
    if (place?.start !== this.dismissed) this.dismissed = undefined;
    if (place && this.dismissed === undefined && isTyping(inputType)) this.ask(place);
    else this.close();
  }

  /** Reopens the list if the field lost the focus in the middle of a word. */
  focused(): void {
    if (this.left === undefined) return;
    const field = this.field();
    const place = field && findTrigger(field.value, field.selectionStart);
    if (place?.start === this.left && field?.value === this.typed) this.ask(place);
    this.left = undefined;
  }

  blurred(): void {
    const now = this.written.peek();
    this.left = now.status === 'open' ? now.place.start : undefined;
    this.close();
  }

  /** Returns true if the list handled the key. */
  key(event: KeyboardEvent): boolean {
    const now = this.written.peek();
    if (now.status !== 'open') return false;
    if (isPlainKey(event, 'Escape')) {
      this.dismissed = now.place.start;
      this.close();
      return true;
    }
    const count = now.reported?.choices.length ?? 0;
    if (count === 0) return false;
    if (isPlainKey(event, 'ArrowDown')) return this.activate(now, (now.active + 1) % count);
    if (isPlainKey(event, 'ArrowUp')) return this.activate(now, (now.active + count - 1) % count);
    if (isPlainKey(event, 'Tab')) return this.choose(now, 'always');
    return isPlainKey(event, 'Enter') && this.choose(now, 'unlessWritten');
  }

  accept(index: number): void {
    const now = this.written.peek();
    const choice = now.status === 'open' && now.reported?.choices[index];
    const field = this.field();
    if (!choice || !field) return;
    this.close();
    this.taken = now.place;
    write(field, now.place, choice);
  }

  notify(reported: CompletionReply): void {
    const now = this.written.peek();
    if (now.status !== 'open' || reported.number !== now.number) return;
    // Most commands have no sub-commands, so an empty list is no failed search.
    if (reported.choices.length === 0 && isSubCommand(now.place)) {
      this.close();
      return;
    }
    const answered = { ...now, reported, active: 0 };
    const { taking } = this;
    this.written.value = answered;
    if (taking && !this.take(answered, taking) && taking === 'unlessWritten') this.sendPrompt();
  }

  /** Closes the list if the caret left the completed word. */
  caretMoved(): void {
    const now = this.written.peek();
    const field = this.field();
    // On a change the selection event precedes the input event.
    if (now.status !== 'open' || !field || field.value !== this.typed) return;
    const { selectionStart, selectionEnd } = field;
    if (selectionStart !== now.place.caret || selectionEnd !== selectionStart) this.close();
  }

  /** Closes the list for a text that was not typed. */
  draftChanged(text: string): void {
    if (text !== this.typed) this.close();
  }

  close(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.taking = undefined;
    if (this.written.peek().status === 'open') this.written.value = { status: 'closed' };
  }

  private ask(place: TriggerPlace): void {
    const before = this.written.peek();
    const goesOn = before.status === 'open' && before.place.start === place.start;
    this.number += 1;
    this.taking = undefined;
    const { number } = this;
    this.written.value = goesOn ? { ...before, place, number } : { status: 'open', place, number, active: 0 };
    // Keys of one frame share one request.
    this.frame ??= requestAnimationFrame(() => this.send());
  }

  /** Moves the caret to the end after undoing a choice, which selects the replaced text. */
  private unselect(field: HTMLTextAreaElement): void {
    const { selectionStart: start, selectionEnd: end } = field;
    const { taken } = this;
    if (taken?.start !== start || taken.trigger + taken.query !== field.value.slice(start, end)) return;
    field.setSelectionRange(end, end);
  }

  private send(): void {
    this.frame = undefined;
    const now = this.written.peek();
    if (now.status !== 'open') return;
    const { trigger, query } = now.place;
    this.act({ type: 'completion.ask', number: now.number, trigger, query });
  }

  private activate(now: Open, active: number): boolean {
    this.written.value = { ...now, active };
    return true;
  }

  private choose(now: Open, when: Taking): boolean {
    if (now.reported?.number === now.number) return this.take(now, when);
    // After a command's name Enter usually sends, so it does not wait.
    if (when === 'unlessWritten' && isSubCommand(now.place)) {
      this.close();
      return false;
    }
    // The shown choices answer an earlier request. A second press does not wait.
    this.taking = this.taking ? undefined : when;
    return this.taking !== undefined;
  }

  /** Inserts the active choice. Returns false if there is none. */
  private take(now: Open, when: Taking): boolean {
    const choice = now.reported?.choices[now.active];
    if (!choice || (when === 'unlessWritten' && isAlreadyWritten(now.place, choice))) {
      this.close();
      return false;
    }
    this.accept(now.active);
    return true;
  }
}

/** Returns false for paste, drop and undo, which insert complete text. */
function isTyping(inputType = 'insertText'): boolean {
  return /^(insert(Text|CompositionText|ReplacementText)|delete)/.test(inputType);
}

function write(field: HTMLTextAreaElement, place: TriggerPlace, choice: CompletionChoice): void {
  const { start, end, text, caret } = replacementFor(field.value, place, choice);
  insertText(field, text, start, end);
  if (caret === field.selectionStart) return;
  field.setSelectionRange(caret, caret);
  dispatchInputEvent(field);
}
