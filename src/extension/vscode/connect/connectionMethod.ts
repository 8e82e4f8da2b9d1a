/* Common interface of the ways to connect a model. The user selects one; each click leads to a next step or an end. */

import type { ConnectAction, ConnectionStep, KnownConnections } from '../../../protocol/panel/connecting.ts';

export interface ConnectionMethod {
  /** Known facts that need no request and no question. */
  known?(): Promise<KnownConnections>;
  start(attempt: ConnectAttempt): Promise<ConnectResult>;
  /** `id`: of a model that a step of this method offered. */
  choose?(id: string, attempt: ConnectAttempt): Promise<ConnectResult>;
  act?(action: ConnectAction, attempt: ConnectAttempt): Promise<ConnectResult>;
  /** Uses a key that the user entered elsewhere and that belongs here. */
  useKey?(key: string, attempt: ConnectAttempt): Promise<ConnectResult>;
}

/** One click of the user. Its steps are valid until the next click, which also aborts `signal`. */
export interface ConnectAttempt {
  readonly signal: AbortSignal;
  readonly show: (step: ConnectionStep) => void;
}

/** A model is connected, the user left, or there is a step to show. */
export type ConnectResult = 'connected' | 'left' | ConnectionStep;

export function stuckStep(problem: string, ...actions: readonly ConnectAction[]): ConnectionStep {
  return { status: 'stuck', problem, actions };
}
