import type { BudgetKind, ReachedBudget } from '../../protocol/budgets.ts';

/** What the settings say of how far the work may go, as they are at one moment. */
export interface Limits {
  /** What a turn and a session may use up; without those that are switched off. */
  readonly budgets: readonly BudgetLimit[];
  /** Attempts at one request, the first included. */
  readonly maxAttempts: number;
  /** Share of a model's limit at which the context is compressed by itself; 1 never. */
  readonly compressionThreshold: number;
  /** Characters of a call's result that the model gets whole. */
  readonly outputLength: number;
  /** A turn that goes in circles is interrupted. */
  readonly loopDetection: boolean;
  /** After an answer without calls the model is asked whether it meant to rest. */
  readonly nextSpeakerCheck: boolean;
}

export interface BudgetLimit {
  readonly kind: BudgetKind;
  readonly scope: ReachedBudget['scope'];
  /** Steps, tokens, US dollars or milliseconds. */
  readonly limit: number;
}

/**
 * The limits of the newest turn, for all that happens in it. They are read as it begins, and again between its steps:
 * a person may raise a budget while it runs.
 */
export class TurnLimits {
  private readonly read: () => Limits;
  private limits: Limits;

  constructor(read: () => Limits) {
    this.read = read;
    this.limits = read();
  }

  get current(): Limits {
    return this.limits;
  }

  refresh(): void {
    this.limits = this.read();
  }
}
