import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { QueuedPrompt } from '../../protocol/events.ts';
import { t } from '../../protocol/language.ts';
import { useIsWorking } from '../composer/useIsWorking.ts';
import { usePanel } from '../panel/panel.ts';
import { addToDraft } from '../panel/store.ts';
import { LinkButton } from '../ui/controls.tsx';
import { moveFocus } from '../ui/keys.ts';
import { useFocusInPlace } from '../ui/useFocusInPlace.ts';
import { QueueField } from './queueField.tsx';
import { QueueRow } from './queueRow.tsx';
import { describeQueue, describeQueueLine } from './queueWords.ts';

interface Edit {
  readonly id: string;
  readonly text: string;
  readonly isChanged: boolean;
}

/** Queued prompts, in the order of reading. Hidden if there are none. */
export function Queue() {
  const { store, act } = usePanel();
  const queue = useComputed(() => store.session.value?.queue ?? none).value;
  const isWorking = useIsWorking().value;
  const edit = useSignal<Edit | undefined>(undefined);
  const section = useRef<HTMLElement>(null);
  useFocusInPlace(section, '.queue-row', () => store.focusRequests.value++);

  // Folio may send a prompt while it is edited. The edit then moves to the composer.
  useLayoutEffect(() => {
    const left = edit.peek();
    if (!left || queue.some(({ id }) => id === left.id)) return;
    edit.value = undefined;
    if (!left.isChanged) return;
    addToDraft(store, left.text);
    store.hint.value = t('The original prompt was already sent. Your edit is here.');
    store.focusRequests.value++;
  }, [queue]);

  const save = (prompt: QueuedPrompt) => {
    const text = edit.peek()?.text.trim() ?? '';
    if (text === '' && prompt.attachments.length === 0) return;
    edit.value = undefined;
    if (text !== prompt.text) act({ type: 'queue.change', prompt: { ...prompt, text } });
  };
  const rowOf = (prompt: QueuedPrompt) =>
    edit.value?.id === prompt.id ? (
      <QueueField
        text={edit.value.text}
        onInput={text => (edit.value = { id: prompt.id, text, isChanged: true })}
        onSave={() => save(prompt)}
        onCancel={() => (edit.value = undefined)}
      />
    ) : (
      <QueueRow
        prompt={prompt}
        isWorking={isWorking}
        isAlone={queue.length === 1}
        onEdit={() => (edit.value = { id: prompt.id, text: prompt.text, isChanged: false })}
      />
    );
  return (
    <>
      <div class="sr-only" role="status">
        {useNews(queue.length)}
      </div>
      {queue.length > 0 && (
        <section class="queue" aria-label={t('Waiting prompts')} ref={section} onKeyDown={walk}>
          {!isWorking && <QueueHead queue={queue} />}
          <ul class="queue-list">
            {(isWorking ? asRead(queue) : queue).map(prompt => (
              <li
                class="queue-row"
                key={prompt.id}
                data-queued={prompt.id}
                data-steers={prompt.when === 'steer' || undefined}
              >
                {rowOf(prompt)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const none: readonly QueuedPrompt[] = [];

/** Sorts prompts that steer the running turn before those that start a turn. */
function asRead(queue: readonly QueuedPrompt[]): readonly QueuedPrompt[] {
  return queue.toSorted((a, b) => Number(b.when === 'steer') - Number(a.when === 'steer'));
}

/** Announces changes of the queue; empty until something has waited. */
function useNews(count: number): string {
  const hasWaited = useRef(false);
  hasWaited.current ||= count > 0;
  return hasWaited.current ? describeQueue(count) : '';
}

function walk(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
  const { target, currentTarget } = event;
  if (!step || !(currentTarget instanceof HTMLElement) || target instanceof HTMLTextAreaElement) return;
  moveFocus([...currentTarget.querySelectorAll<HTMLElement>('.queue-text')], step);
  event.preventDefault();
}

function sendLabel(queue: readonly QueuedPrompt[]): string {
  if (describeQueueLine(queue) !== undefined) return t('Start Now');
  return queue.length === 1 ? t('Send') : t('Send first');
}

/** Head of the queue. After a stop or a reload the user decides whether to send queued prompts. */
function QueueHead({ queue }: { readonly queue: readonly QueuedPrompt[] }) {
  const { store, act } = usePanel();
  const isAlone = queue.length === 1;
  const send = () => {
    store.focusRequests.value++;
    act({ type: 'queue.sendNow', id: queue[0]!.id });
  };
  const remove = () => {
    store.focusRequests.value++;
    for (const { id } of queue) act({ type: 'queue.remove', id });
  };
  return (
    <div class="queue-head">
      <span class="strip-text">{describeQueueLine(queue) ?? describeQueue(queue.length)}</span>
      <LinkButton onClick={send}>{sendLabel(queue)}</LinkButton>
      <LinkButton onClick={remove}>{isAlone ? t('Remove') : t('Remove all')}</LinkButton>
    </div>
  );
}
