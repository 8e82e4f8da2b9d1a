import type { ComponentChildren } from 'preact';

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
export function Card({ class: look, name, ask, held, children }: CardProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a named group of a transcript is no set of form fields.
    <div
      class={look}
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
