/* Limits of a turn and a session, and loops: why Folio pauses by itself. */

export type BudgetKind = 'steps' | 'tokens' | 'money' | 'time';

/** A limit that was reached. Going on grants the same amount once more. */
export interface ReachedBudget {
  readonly kind: BudgetKind;
  readonly scope: 'turn' | 'session';
  /** Steps, tokens, US dollars or milliseconds. */
  readonly limit: number;
  readonly used: number;
}

export interface FoundLoop {
  /** `LOOP_DETECTED` in headless output. */
  readonly kind: 'calls' | 'text' | 'judged';
  /** One sentence: what repeats. */
  readonly detail: string;
}
