import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ToHost } from '../../protocol/intentions.ts';
import type { CompletionChoice } from '../../protocol/mentions.ts';
import type { CompletionList } from '../panel/store.ts';
import { isPlainKey } from '../ui/keys.ts';
import {
  findTrigger,
  isSubCommand,
  isWritten,
  replacementFor,
  type TriggerPlace,
} from './completionTrigger.ts';
import { insertText, reportInput } from './insertText.ts';

type CompletionState =
  | { readonly status: 'closed' }
  | {
      readonly status: 'open';
      readonly place: TriggerPlace;
      /** The number of the newest question. */
      readonly number: number;
      /** The newest answer; until the next one has come, to an earlier question. */
      readonly reported?: CompletionList;
      /** Index of the choice that Enter takes. */
      readonly active: number;
    };

type Open = Extract<CompletionState, { status: 'open' }>;

/** Tab takes a choice `always`, Enter `unlessWritten`: what stands there already is sent. */
type Taking = 'always' | 'unlessWritten';

/** The list over one text field: asks the host as the user types, and only the newest answer counts. */
export class Completing {
  private readonly act: (intention: ToHost) => void;
  private readonly field: () => HTMLTextAreaElement | null;
  private readonly sendPrompt: () => void;
  private readonly written: Signal<CompletionState> = signal({ status: 'closed' });
  private number = 0;
  private frame: number | undefined;
  private typed = '';
  /** Where Escape was pressed: the list stays away until something else is completed. */
  private dismissed: number | undefined;
  /** Where the list was open when the field lost the focus. */
  private left: number | undefined;
  /** The place that the newest choice replaced. */
  private taken: TriggerPlace | undefined;
  /** Enter or Tab came before the answer to what was typed last. */
  private taking: Taking | undefined;

  /** @param sendPrompt what an Enter does that came before its answer and has nothing to take */
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

  /** For each change that the user makes in the field. */
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

  /** A user who checked something else in the middle of a word comes back to its list. */
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

  /** True: the key was for the list and must have no other effect. */
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

  notify(reported: CompletionList): void {
    const now = this.written.peek();
    if (now.status !== 'open' || reported.number !== now.number) return;
    // Most commands know no words, and what stands behind them is no failed search.
    if (reported.choices.length === 0 && isSubCommand(now.place)) {
      this.close();
      return;
    }
    const answered = { ...now, reported, active: 0 };
    const { taking } = this;
    this.written.value = answered;
    if (taking && !this.take(answered, taking) && taking === 'unlessWritten') this.sendPrompt();
  }

  /** The caret may have left what is completed. */
  caretMoved(): void {
    const now = this.written.peek();
    const field = this.field();
    // When something changes, the caret tells first and the text after it.
    if (now.status !== 'open' || !field || field.value !== this.typed) return;
    const { selectionStart, selectionEnd } = field;
    if (selectionStart !== now.place.caret || selectionEnd !== selectionStart) this.close();
  }

  /** A text that somebody else has put into the field is not being typed. */
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
    // Several keys of one frame make one question.
    this.frame ??= requestAnimationFrame(() => this.send());
  }

  /** Undoing a choice selects what it replaced; the user had typed it and types on behind it. */
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
    // After a command's name Enter sends: only seldom is there anything to wait for.
    if (when === 'unlessWritten' && isSubCommand(now.place)) {
      this.close();
      return false;
    }
    // The shown choices answer an earlier question. A user who presses the key again does not want to wait.
    this.taking = this.taking ? undefined : when;
    return this.taking !== undefined;
  }

  /** False: there is nothing to take. */
  private take(now: Open, when: Taking): boolean {
    const choice = now.reported?.choices[now.active];
    if (!choice || (when === 'unlessWritten' && isWritten(now.place, choice))) {
      this.close();
      return false;
    }
    this.accept(now.active);
    return true;
  }
}

/** Pasting, dropping and undoing bring text that is there already; nobody is in the middle of a word. */
function isTyping(inputType = 'insertText'): boolean {
  return /^(insert(Text|CompositionText|ReplacementText)|delete)/.test(inputType);
}

function write(field: HTMLTextAreaElement, place: TriggerPlace, choice: CompletionChoice): void {
  const { start, end, text, caret } = replacementFor(field.value, place, choice);
  insertText(field, text, start, end);
  if (caret === field.selectionStart) return;
  field.setSelectionRange(caret, caret);
  reportInput(field);
}
