import { useComputed } from '@preact/signals';
import { usePanel } from '../panel/panel.ts';
import { Icon } from '../ui/icon.tsx';

interface PinButtonProps {
  /** A prompt's turn or an answer's step. */
  readonly id: string;
  readonly what: 'prompt' | 'answer';
}

/** Seen on hover and focus like other actions, and always once it is pressed. */
export function PinButton({ id, what }: PinButtonProps) {
  const { act } = usePanel();
  const isPinned = useIsPinned(id);
  const label = isPinned ? `Unpin ${what}` : `Pin ${what}`;
  const effect = isPinned ? 'it stays' : 'it will stay';
  return (
    <button
      type="button"
      class={isPinned ? 'icon-button flat pin pinned' : 'icon-button flat pin'}
      aria-pressed={isPinned}
      aria-label={label}
      title={`${label}: ${effect} word for word when the context is compressed`}
      onClick={() => act({ type: 'pin.set', id, pinned: !isPinned })}
    >
      <Icon name={isPinned ? 'pinned' : 'pin'} />
    </button>
  );
}

export function useIsPinned(id: string): boolean {
  const { store } = usePanel();
  return useComputed(() => store.session.value?.pins.includes(id) ?? false).value;
}
