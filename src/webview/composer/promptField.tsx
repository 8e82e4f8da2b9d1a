import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { plural, t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelState } from '../../protocol/panel/panelState.ts';
import { usePanel } from '../panel/panel.ts';
import { returnFocus } from '../ui/keepFocus.ts';
import { isPlainKey } from '../ui/keys.ts';
import { CompletionController } from './completionController.ts';
import { CompletionList, completionListId, completionOptionId } from './completionList.tsx';
import { insertText } from './insertText.ts';
import { isLineBreak, isShellDraft, type SendWay, sendWayOf, steerKeys } from './sending.ts';
import { useIsWorking } from './useIsWorking.ts';

interface PromptFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onSend: (way: SendWay) => void;
  readonly onInput: () => void;
}

export function PromptField({ field, onSend, onInput }: PromptFieldProps) {
  const { store } = usePanel();
  const recall = useRecall();
  const completing = useCompletion(field, () => onSend('next'));
  const isWorking = useIsWorking();
  const placeholder = usePlaceholder(isWorking);
  const hints = useComputed(() => store.environment.value?.spoken.hints).value;

  const seenRequests = useRef(store.focusRequests.peek());
  useSignalEffect(() => {
    if (store.focusRequests.value === seenRequests.current) return;
    seenRequests.current = store.focusRequests.value;
    // First the new text is rendered, then the caret moves to its end.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
    });
  });

  // Focuses the prompt when the panel opens.
  useEffect(returnFocus, []);

  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    // Input methods use Enter and arrows themselves. Older ones report 229.
    if (event.isComposing || event.keyCode === 229) return;
    const way = sendWayOf(event);
    const pages = { PageUp: -0.9, PageDown: 0.9 }[event.key];
    if (completing.key(event)) event.stopPropagation();
    else if (way) onSend(way);
    else if (isLineBreak(event)) insertText(event.currentTarget, '\n');
    // While a turn runs, Escape stops it.
    else if (isPlainKey(event, 'Escape') && store.isShell.peek() && !isWorking.peek())
      store.isShell.value = false;
    else if (isPlainKey(event, 'ArrowUp') && recall.canRecall()) recall.step(1);
    else if (isPlainKey(event, 'ArrowDown') && recall.isRecalling()) recall.step(-1);
    else if (pages && isPlainKey(event, event.key) && !scrolls(event.currentTarget)) scrollTranscript(pages);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <CompletionList completing={completing} />
      <textarea
        ref={field}
        class="prompt-field"
        dir="auto"
        rows={1}
        aria-label={t('Ask Folio')}
        aria-description={hints ? t('Alt+F2 opens the transcript as text') : undefined}
        placeholder={placeholder}
        value={store.draft.value}
        {...listAttributes(completing)}
        onInput={event => {
          store.draft.value = event.currentTarget.value;
          if (isShellDraft(store)) completing.close();
          else completing.input(event);
          onInput();
        }}
        onKeyDown={onKeyDown}
        onFocus={() => completing.focused()}
        onBlur={() => completing.blurred()}
      />
      <div class="sr-only" role="status">
        {choiceCount(completing)}
      </div>
    </>
  );
}

function scrolls({ scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight > clientHeight;
}

function scrollTranscript(pages: number): void {
  const view = document.querySelector('.transcript')!;
  view.scrollTop += pages * view.clientHeight;
}

/** ARIA attributes of editors for completions, since a multi-line field cannot have the role combobox. */
function listAttributes({ state }: CompletionController) {
  const now = state.value;
  const isShown = now.status === 'open' && now.reported !== undefined && now.reported.choices.length > 0;
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': isShown ? completionListId : undefined,
    'aria-activedescendant': isShown ? completionOptionId(now.active) : undefined,
  } as const;
}

/** Announces the number of choices to screen readers. */
function choiceCount({ state }: CompletionController): string {
  const now = state.value;
  const count = now.status === 'open' ? (now.reported?.choices.length ?? 0) : 0;
  return count === 0 ? '' : plural(count, 'one: {0} choice | other: {0} choices');
}

/** Recalls earlier prompts by Arrow Up in an empty field, like a shell. */
function useRecall() {
  const { store, act } = usePanel();
  const place = useRef(0);
  const shown = useRef('');
  const isRecalling = () => place.current > 0 && store.draft.peek() === shown.current;
  useEffect(() => {
    place.current = 0;
  }, []);
  return {
    isRecalling,
    canRecall: () => store.draft.peek() === '' || isRecalling(),
    step: (by: 1 | -1) => {
      const { chapters = [] } = store.session.peek() ?? {};
      const prompts = recallableTexts(chapters);
      const from = isRecalling() ? place.current : 0;
      // The next press finds the loaded items.
      const missing = chapters[missingChapter(chapters)];
      if (missing && from + by > prompts.length) act({ type: 'items.load', of: missing.id });
      place.current = Math.min(Math.max(from + by, 0), prompts.length);
      shown.current = place.current === 0 ? '' : (prompts.at(-place.current) ?? '');
      store.draft.value = shown.current;
    },
  };
}

/** Returns the loaded prompts, back to the first chapter that is not loaded. */
function recallableTexts(chapters: PanelState['chapters']): readonly string[] {
  const items = chapters.slice(missingChapter(chapters) + 1).flatMap(chapter => [...iterate(chapter.items)]);
  return items.flatMap(item => (item.type === 'prompt' && !item.cut ? [item.text] : []));
}

function missingChapter(chapters: PanelState['chapters']): number {
  return chapters.findLastIndex(({ unloaded }) => unloaded !== undefined);
}

const wide = '(min-width: 340px)';

/** Returns the placeholder, shorter in a narrow panel. */
function usePlaceholder(isWorking: ReadonlySignal<boolean>): string {
  const { isShell, session } = usePanel().store;
  const isAsking = useComputed(() => session.value?.activity.status === 'waiting').value;
  const isWide = useSignal(window.matchMedia(wide).matches);
  useEffect(() => {
    const media = window.matchMedia(wide);
    const follow = () => (isWide.value = media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, [isWide]);
  if (isShell.value) return t('Run a command…');
  if (isAsking)
    return isWide.value
      ? t('Add a follow-up…  {0}: read after your decision', steerKeys)
      : t('Follow up…  read after you decide');
  if (isWorking.value)
    return isWide.value
      ? t('Add a follow-up…  {0} sends it now', steerKeys)
      : t('Follow up…  {0}: now', steerKeys);
  return isWide.value
    ? t('Ask Folio…  @ for context, / for commands')
    : t('Ask Folio…  @ context, / commands');
}

function useCompletion(field: RefObject<HTMLTextAreaElement | null>, send: () => void): CompletionController {
  const { store, act } = usePanel();
  const sendNow = useRef(send);
  sendNow.current = send;
  const completing = useMemo(
    () =>
      new CompletionController(
        act,
        () => field.current,
        () => sendNow.current(),
      ),
    [act, field],
  );
  useSignalEffect(() => {
    if (store.completion.value) completing.notify(store.completion.value);
  });
  useSignalEffect(() => completing.draftChanged(store.draft.value));
  useEffect(() => {
    const follow = () => completing.caretMoved();
    document.addEventListener('selectionchange', follow);
    return () => {
      document.removeEventListener('selectionchange', follow);
      completing.close();
    };
  }, [completing]);
  return completing;
}
