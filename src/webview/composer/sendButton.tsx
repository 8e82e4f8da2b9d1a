import { type ReadonlySignal, useComputed } from '@preact/signals';
import { usePanel } from '../panel.ts';
import { IconButton } from '../ui/controls.tsx';

export interface SendButtonProps {
  readonly isWorking: ReadonlySignal<boolean>;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

/** One place for both, so that the hand finds Stop where it pressed Send. */
export function SendButton({ isWorking, onSend, onStop }: SendButtonProps) {
  const { store } = usePanel();
  const isEmpty = useComputed(() => store.draft.value.trim() === '' && store.attachments.value.length === 0);
  if (isWorking.value)
    return <IconButton key="stop" icon="debug-stop" label="Stop (Escape)" class="send" onPress={onStop} />;
  return (
    <IconButton
      key="send"
      icon="send"
      label="Send (Enter)"
      class="send"
      disabled={isEmpty.value}
      onPress={onSend}
    />
  );
}
