/* Plans that the model writes and a person decides on. */

/** A plan waits for the person's decision in an editor. */
export interface PlanWritten {
  readonly type: 'plan.written';
  /** Absolute. */
  readonly path: string;
  readonly title: string;
}

export interface PlanDecided {
  readonly type: 'plan.decided';
  readonly path: string;
  readonly approved: boolean;
}
