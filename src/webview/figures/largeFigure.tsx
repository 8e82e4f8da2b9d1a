import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { t } from '../../protocol/language.ts';
import { Icon } from '../ui/icon.tsx';
import type { Drawing } from './drawing/drawing.ts';

interface LargeFigureProps {
  readonly drawing: Drawing;
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly children: ComponentChildren;
}

const steps = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];

/** Figure over the whole page, with zoom by buttons or `+`, `-` and `0`. */
export function LargeFigure({ drawing, dialog, children }: LargeFigureProps) {
  const isOpen = useSignal(false);
  const scale = useSignal<number | undefined>(undefined);
  const zoom = (by: 1 | -1) => {
    const now = scale.value ?? 1;
    const next = by > 0 ? steps.find(step => step > now) : steps.findLast(step => step < now);
    scale.value = next ?? now;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keeps keys from the transcript behind it.
    event.stopPropagation();
    if (event.key === '+' || event.key === '=') zoom(1);
    else if (event.key === '-') zoom(-1);
    else if (event.key === '0') scale.value = undefined;
  };
  const size = scale.value === undefined ? undefined : { width: `${drawing.width * scale.value}px` };
  return (
    <dialog
      class="large-view"
      ref={dialog}
      aria-label={drawing.name}
      onKeyDown={onKeyDown}
      onToggle={event => (isOpen.value = event.currentTarget.open)}
    >
      {isOpen.value && (
        <>
          <div class="figure-actions">
            <button
              type="button"
              class="icon-button flat"
              title={t('Smaller')}
              aria-label={t('Smaller')}
              onClick={() => zoom(-1)}
            >
              <Icon name="zoom-out" />
            </button>
            <button
              type="button"
              class="icon-button flat"
              title={t('Larger')}
              aria-label={t('Larger')}
              onClick={() => zoom(1)}
            >
              <Icon name="zoom-in" />
            </button>
            <button
              type="button"
              class="icon-button flat"
              title={t('Close')}
              aria-label={t('Close')}
              onClick={() => dialog.current?.close()}
            >
              <Icon name="close" />
            </button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <div class="figure-room" tabIndex={0} data-fits={scale.value === undefined}>
            <div style={size}>{children}</div>
          </div>
        </>
      )}
    </dialog>
  );
}
