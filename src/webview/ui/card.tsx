import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { markCardSeen } from './keepFocus.ts';

interface CardProps {
  readonly class: string;
  /** Self-contained accessible name: `Edit src/invoice.ts, 2 lines added, 1 removed, pending`. */
  readonly name: string;
  /** On a card that asks: id of the call. */
  readonly ask?: string;
  /** True if the card asks and is too new for a press to count. */
  readonly held?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A card that the keys J and K reach. Inside, `data-toggle` and `data-action` mark elements that keys press.
 */
export function Card({ class: style, name, ask, held, children }: CardProps) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (ask !== undefined && !held && card.current) markCardSeen(card.current);
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
  /** `undefined` if the card has no details. */
  readonly isOpen: boolean | undefined;
  readonly toggle: () => void;
  readonly class?: 'quiet';
  /** Full text of a row that may be cut. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** Row that unfolds a card, with a chevron as in VS Code's trees. */
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
