import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { markReady } from './keepFocus.ts';

interface CardProps {
  readonly class: string;
  /** Makes sense alone: `Edit src/invoice.ts, 2 lines added, 1 removed, pending`. */
  readonly name: string;
  /** The call that is asked about, on a card that asks. */
  readonly ask?: string;
  /** It asks, and is too new for a press to count. */
  readonly held?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A stop of the keys J and K in the transcript. Inside, `data-toggle` and `data-action` mark the elements that the
 * keys press.
 */
export function Card({ class: style, name, ask, held, children }: CardProps) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (ask !== undefined && !held && card.current) markReady(card.current);
  }, [ask, held]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a named group of a transcript is no set of form fields.
    <div
      ref={card}
      class={style}
      data-card
      data-ask={ask}
      role="group"
      tabIndex={-1}
      aria-label={name}
      aria-disabled={held || undefined}
    >
      {children}
    </div>
  );
}

interface CardRowProps {
  /** `undefined`: there is nothing more to show. */
  readonly isOpen: boolean | undefined;
  readonly toggle: () => void;
  readonly class?: 'quiet';
  /** The whole of what the row may cut. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** The line of a card that opens it. As in VS Code's trees, a chevron before it says that it does. */
export function CardRow({ isOpen, toggle, class: style, title, children }: CardRowProps) {
  return (
    <button
      type="button"
      class={style ? `row ${style}` : 'row'}
      data-toggle
      aria-expanded={isOpen}
      disabled={isOpen === undefined}
      title={title}
      onClick={toggle}
    >
      {isOpen !== undefined && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="row-twistie" />}
      {children}
    </button>
  );
}
