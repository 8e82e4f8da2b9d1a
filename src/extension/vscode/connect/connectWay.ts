/* The common part of the ways to a model: the user presses one, and each press leads to a next step or to an end. */

import type { ConnectAction, KnownConnections, WayStep } from '../../../protocol/panel/connecting.ts';

export interface ConnectionMethod {
  /** Facts about it that need no question to a server or a user. */
  known?(): Promise<KnownConnections>;
  start(attempt: Attempt): Promise<Attempted>;
  /** `id`: of a model that a step of this way offered. */
  choose?(id: string, attempt: Attempt): Promise<Attempted>;
  act?(action: ConnectAction, attempt: Attempt): Promise<Attempted>;
  /** A key that the user gave elsewhere and that belongs here. */
  useKey?(key: string, attempt: Attempt): Promise<Attempted>;
}

/**
 * One press of the user. The steps that it shows and returns count until the next press, which also aborts
 * `signal`.
 */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly show: (step: WayStep) => void;
}

/** A model is connected, the user left, or there is something to see. */
export type Attempted = 'connected' | 'left' | WayStep;

export function stuck(problem: string, ...actions: readonly ConnectAction[]): WayStep {
  return { status: 'stuck', problem, actions };
}
