import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { Button } from '../ui/controls.tsx';
import { isPlainKey } from '../ui/keys.ts';

export interface DenyFieldProps {
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
  /** Label of the button. Absent: `Deny`. */
  readonly verb?: string;
  readonly label?: string;
  readonly placeholder?: string;
}

/** Field for a reason. It takes the focus, since the user opened it. */
export function DenyField(props: DenyFieldProps) {
  const { onDeny, onCancel, verb = t('Deny'), label = t('Reason, optional') } = props;
  const { placeholder = t('What to do instead (optional)') } = props;
  const field = useRef<HTMLTextAreaElement>(null);
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
      <textarea
        ref={field}
        class="input growing"
        rows={1}
        aria-label={label}
        placeholder={placeholder}
        onKeyDown={onKeyDown}
      />
      <div class="buttons">
        <Button kind="primary" action="reject" onPress={deny}>
          {verb}
        </Button>
        <Button onPress={cancel}>{t('Cancel')}</Button>
      </div>
    </div>
  );
}
