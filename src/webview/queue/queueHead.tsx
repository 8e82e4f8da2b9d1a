import type { QueuedPrompt } from '../../protocol/events.ts';
import { usePanel } from '../panel/panel.ts';
import { describeQueue } from './queueWords.ts';

/** After a stop or a reload nothing is sent by itself: the person says whether it still holds. */
export function QueueHead({ queue }: { readonly queue: readonly QueuedPrompt[] }) {
  const { store, act } = usePanel();
  const isAlone = queue.length === 1;
  const send = () => {
    store.focusWishes.value++;
    act({ type: 'queue.sendNow', id: queue[0]!.id });
  };
  const remove = () => {
    store.focusWishes.value++;
    for (const { id } of queue) act({ type: 'queue.remove', id });
  };
  return (
    <div class="queue-head">
      <span class="strip-text">{describeQueue(queue.length)}</span>
      <button type="button" class="link-button" onClick={send}>
        {isAlone ? 'Send' : 'Send first'}
      </button>
      <button type="button" class="link-button" onClick={remove}>
        {isAlone ? 'Remove' : 'Remove all'}
      </button>
    </div>
  );
}
