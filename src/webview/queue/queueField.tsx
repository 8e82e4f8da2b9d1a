import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { insertText } from '../composer/insertText.ts';
import { isLineBreak } from '../composer/sending.ts';
import { LinkButton } from '../ui/controls.tsx';
import { isPlainKey } from '../ui/keys.ts';

interface QueueFieldProps {
  readonly text: string;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Field that edits a queued prompt. It takes the focus, since the user opened it. */
export function QueueField({ text, onInput, onSave, onCancel }: QueueFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    if (isPlainKey(event, 'Enter')) onSave();
    else if (isPlainKey(event, 'Escape')) onCancel();
    else if (isLineBreak(event)) insertText(event.currentTarget, '\n');
    else return;
    event.preventDefault();
    // Escape must not also stop the agent.
    event.stopPropagation();
  };
  return (
    <div class="queue-edit">
      <textarea
        ref={field}
        class="input growing"
        rows={1}
        aria-label={t('Waiting prompt')}
        value={text}
        onInput={event => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <LinkButton title="Enter" onClick={onSave}>
        {t('Save')}
      </LinkButton>
      <LinkButton title="Escape" onClick={onCancel}>
        {t('Cancel')}
      </LinkButton>
    </div>
  );
}
