import { useLayoutEffect, useRef } from 'preact/hooks';
import { isPlainKey } from './keys.ts';

interface TitleFieldProps {
  readonly label: string;
  readonly title: string;
  readonly onRename: (title: string) => void;
  /** Called once, after `onRename` if that is called. */
  readonly onClose: (by: 'key' | 'leaving') => void;
}

/** Field in place of a title while renaming. Leaving it saves, as in VS Code's explorer. */
export function TitleField({ label, title, onRename, onClose }: TitleFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isClosed = useRef(false);
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  // An unmounting field may lose the focus again.
  const close = (by: 'key' | 'leaving', typed: string) => {
    if (isClosed.current) return;
    isClosed.current = true;
    if (typed !== '' && typed !== title) onRename(typed);
    onClose(by);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const isEnter = isPlainKey(event, 'Enter');
    if (!isEnter && !isPlainKey(event, 'Escape')) return;
    event.preventDefault();
    close('key', isEnter ? typedIn(field.current) : '');
  };
  return (
    <input
      ref={field}
      class="input"
      dir="auto"
      aria-label={label}
      defaultValue={title}
      maxLength={200}
      spellcheck={false}
      onKeyDown={onKeyDown}
      onBlur={() => close('leaving', typedIn(field.current))}
    />
  );
}

function typedIn(field: HTMLInputElement | null): string {
  return field?.value.trim() ?? '';
}
