import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/controls.tsx';
import { isPlainKey } from '../ui/keys.ts';

export interface DenyFieldProps {
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
}

/** Opened by the person's own key or click, so it may take the focus. */
export function DenyField({ onDeny, onCancel }: DenyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const deny = () => onDeny(field.current?.value.trim() ?? '');
  const cancel = () => {
    const card = field.current?.closest<HTMLElement>('[data-card]');
    onCancel();
    card?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isPlainKey(event, 'Enter')) deny();
    else if (isPlainKey(event, 'Escape')) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="deny">
      <input
        ref={field}
        class="input"
        aria-label="Reason, optional"
        placeholder="What to do instead (optional)"
        onKeyDown={onKeyDown}
      />
      <div class="buttons">
        <Button kind="primary" onPress={deny}>
          Deny
        </Button>
        <Button onPress={cancel}>Cancel</Button>
      </div>
    </div>
  );
}
