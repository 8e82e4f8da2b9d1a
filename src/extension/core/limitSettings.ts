import type { BudgetKind, ReachedBudget } from '../../protocol/budgets.ts';
import type { ApprovalMode } from '../../protocol/intentions.ts';
import type { Settings } from '../platform/settings.ts';

/** Limits of the work, as the settings have them at one moment. */
export interface LimitSettings {
  /** Limits of a turn, a session and a day. Those that are off are absent. */
  readonly budgets: readonly BudgetLimit[];
  /** Attempts at one request, the first included. */
  readonly maxAttempts: number;
  /** Share of the model's context limit at which the context is compressed automatically; 1: never. */
  readonly compressionThreshold: number;
  /** Characters of a call's result that the model gets uncut. */
  readonly outputLength: number;
  /** Interrupts a turn that repeats itself. */
  readonly loopDetection: boolean;
  /** Asks the model after an answer without calls whether it meant to stop. */
  readonly nextSpeakerCheck: boolean;
  /** Lets a small model answer approval requests for commands. */
  readonly classify: boolean;
  /** Modes that the organisation allows; absent: all. */
  readonly modes?: readonly ApprovalMode[] | undefined;
}

export interface BudgetLimit {
  readonly kind: BudgetKind;
  readonly scope: ReachedBudget['scope'];
  /** Steps, tokens, US dollars or milliseconds. */
  readonly limit: number;
  /** Also counts other sessions. Absent: only the session's own events count. */
  readonly meter?: Meter;
}

interface Meter {
  /** Value at the last `read`. */
  readonly used: number;
  /** Never rejects. */
  read(): Promise<void>;
}

/**
 * Limits of the newest turn. They are read when it begins and again between its steps, since a user may raise a budget
 * meanwhile.
 */
export class TurnLimits {
  private readonly read: () => LimitSettings;
  private limits: LimitSettings;

  constructor(read: () => LimitSettings) {
    this.read = read;
    this.limits = read();
  }

  get current(): LimitSettings {
    return this.limits;
  }

  refresh(): void {
    this.limits = this.read();
  }

  /** Updates meters that count other sessions, too. Never rejects. */
  async measure(): Promise<void> {
    this.refresh();
    for (const { meter } of this.limits.budgets) await meter?.read();
  }
}

/** Reads the current limits. @param day spending of all sessions today */
export function readLimits(settings: Settings, day: Meter): LimitSettings {
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

/** Leaves out limits of zero, which means no limit. */
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
