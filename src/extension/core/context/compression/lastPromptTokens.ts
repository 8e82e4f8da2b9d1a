import type { SessionEvent } from '../../../../protocol/events.ts';

/**
 * The provider's count for the latest request, adjusted by later compressions; 0 if unknown. The state's
 * `contextTokens` also includes the answer, so it cannot be used instead.
 */
export class LastPromptTokens {
  tokens = 0;
  private beforeRewind = 0;
  /** Tokens saved by each compression in force. */
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
