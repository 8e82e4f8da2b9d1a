import type { BudgetKind, ReachedBudget } from '../../protocol/budgets.ts';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import type { Settings } from '../platform/settings.ts';

/** Limits that the settings put on the work, as they are at one moment. */
export interface Limits {
  /** Limits of a turn, a session and a day; those that are switched off are absent. */
  readonly budgets: readonly BudgetLimit[];
  /** Attempts at one request, the first included. */
  readonly maxAttempts: number;
  /** Share of a model's limit at which the context is compressed automatically; 1 never. */
  readonly compressionThreshold: number;
  /** Characters of a call's result that the model gets whole. */
  readonly outputLength: number;
  /** A turn that goes in circles is interrupted. */
  readonly loopDetection: boolean;
  /** After an answer without calls the model is asked whether it meant to rest. */
  readonly nextSpeakerCheck: boolean;
  /** A small model may answer asks about commands. */
  readonly classify: boolean;
  /** Modes that the organisation allows; absent: all. */
  readonly modes?: readonly ApprovalMode[] | undefined;
}

export interface BudgetLimit {
  readonly kind: BudgetKind;
  readonly scope: ReachedBudget['scope'];
  /** Steps, tokens, US dollars or milliseconds. */
  readonly limit: number;
  /** Measures what other sessions take, too; absent: the session's own events say it. */
  readonly meter?: Meter;
}

interface Meter {
  /** As of the newest `read`. */
  readonly used: number;
  /** Never rejects. */
  read(): Promise<void>;
}

/**
 * The limits of the newest turn, for all that happens in it. They are read as it begins, and again between its steps:
 * a user may raise a budget while it runs.
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

  /** Measures what is not the session's own. Never rejects. */
  async measure(): Promise<void> {
    this.refresh();
    for (const { meter } of this.limits.budgets) await meter?.read();
  }
}

/** As they are now. @param day the spending of all sessions */
export function readLimits(settings: Settings, day: Meter): Limits {
  return {
    budgets: budgetsOf(settings, day),
    maxAttempts: settings.get('maxAttempts'),
    compressionThreshold: settings.get('compressionThreshold'),
    outputLength: settings.get('toolOutputLimit'),
    loopDetection: settings.get('loopDetection'),
    nextSpeakerCheck: settings.get('nextSpeakerCheck'),
    classify: settings.get('judge'),
    modes: settings.restrictions?.modes,
  };
}

/** Zero means none. */
function budgetsOf(settings: Settings, day: Meter): readonly BudgetLimit[] {
  const limits: readonly BudgetLimit[] = [
    { kind: 'steps', scope: 'turn', limit: settings.get('maxSteps') },
    { kind: 'tokens', scope: 'turn', limit: settings.get('budget.turnTokens') },
    { kind: 'money', scope: 'turn', limit: settings.get('budget.turnCost') },
    { kind: 'time', scope: 'turn', limit: settings.get('budget.turnMinutes') * 60_000 },
    { kind: 'tokens', scope: 'session', limit: settings.get('budget.sessionTokens') },
    { kind: 'money', scope: 'session', limit: settings.get('budget.sessionCost') },
    { kind: 'money', scope: 'day', limit: settings.get('budget.dayCost'), meter: day },
  ];
  return limits.filter(({ limit }) => limit > 0);
}
