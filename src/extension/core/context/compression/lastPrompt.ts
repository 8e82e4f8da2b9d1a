import type { SessionEvent } from '../../../../protocol/events.ts';

/**
 * Tokens of the newest request as the provider counted it, and as compressions changed it since; 0 when unknown. The
 * state's `contextTokens` counts the answer too, which is why it cannot stand in for this.
 */
export class LastPrompt {
  tokens = 0;
  private beforeRewind = 0;
  /** Tokens that each compression in force saved. */
  private readonly saved = new Map<string, number>();

  fold(event: SessionEvent): void {
    switch (event.type) {
      case 'step.ended':
        this.tokens = event.usage?.prompt ?? this.tokens;
        return;
      case 'compression.applied': {
        const { before, after } = event.plan.tokens;
        const known = this.saved.get(event.compressionId) ?? 0;
        this.tokens = Math.max(0, this.tokens + known - (before - after));
        this.saved.set(event.compressionId, before - after);
        return;
      }
      case 'compression.undone':
        this.tokens += this.saved.get(event.compressionId) ?? 0;
        return;
      case 'session.rewound':
        this.beforeRewind = this.tokens;
        if (event.scope !== 'files') this.tokens = 0;
        return;
      case 'rewind.undone':
        this.tokens = this.beforeRewind;
        return;
    }
  }
}
