/* The common part of the ways to a model: the person presses one, and each press leads to a next step or to an end. */

import type { ConnectAction, KnownWays, WayStep } from '../../../protocol/panel/connecting.ts';

export interface ConnectWay {
  /** Facts about it that need no question to a server or a person. */
  known?(): Promise<KnownWays>;
  start(attempt: Attempt): Promise<Attempted>;
  /** `id`: of a model that a step of this way offered. */
  choose?(id: string, attempt: Attempt): Promise<Attempted>;
  act?(action: ConnectAction, attempt: Attempt): Promise<Attempted>;
  /** A key that the person gave elsewhere and that belongs here. */
  useKey?(key: string, attempt: Attempt): Promise<Attempted>;
}

/**
 * One press of the person. The steps that it shows and returns count until the next press, which also aborts
 * `signal`.
 */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly show: (step: WayStep) => void;
}

/** A model is connected, the person left, or there is something to see. */
export type Attempted = 'connected' | 'left' | WayStep;

export function stuck(trouble: string, ...actions: readonly ConnectAction[]): WayStep {
  return { status: 'stuck', trouble, actions };
}
