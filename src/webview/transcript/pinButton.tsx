import { useComputed } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { Icon } from '../ui/icon.tsx';

interface PinButtonProps {
  /** Id of the prompt's turn or the answer's step. */
  readonly id: string;
  readonly what: 'prompt' | 'answer';
}

/** Pin button, visible on hover and focus, and always while pinned. */
export function PinButton({ id, what }: PinButtonProps) {
  const { act } = usePanel();
  const isPinned = useIsPinned(id);
  const label = isPinned ? unpinWords()[what] : pinWords()[what];
  return (
    <button
      type="button"
      class={isPinned ? 'icon-button flat pin pinned' : 'icon-button flat pin'}
      aria-pressed={isPinned}
      aria-label={label}
      title={t('{0}: pinned, it stays word for word when the context is compressed', label)}
      onClick={() => act({ type: 'pin.set', id, pinned: !isPinned })}
    >
      <Icon name={isPinned ? 'pinned' : 'pin'} />
    </button>
  );
}

const pinWords = () => ({ prompt: t('Pin prompt'), answer: t('Pin answer') });

const unpinWords = () => ({ prompt: t('Unpin prompt'), answer: t('Unpin answer') });

export function useIsPinned(id: string): boolean {
  const { store } = usePanel();
  return useComputed(() => store.session.value?.pins.includes(id) ?? false).value;
}
