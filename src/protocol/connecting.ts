/* How a person connects a model: what they may have, and where they are with what they pressed. */

import type { Intention } from './intentions.ts';

/** What a model can come from. */
export type ConnectWay = Intention<'connect.start'>['way'];

export interface Connecting {
  readonly known: KnownWays;
  /** Of the way that was pressed last; absent: none, or it is done. */
  readonly step?: ConnectStep;
}

/** What is known of the ways without asking a server or a person. What is absent is not known yet. */
export interface KnownWays {
  /** How many models other extensions offer. */
  readonly vscodeModels?: number;
  /** The project at Google Cloud that would pay; empty: none is named. */
  readonly vertexProject?: string;
  readonly hasGoogleCredentials?: boolean;
}

export type ConnectStep = { readonly way: ConnectWay } & WayStep;

export type WayStep =
  /** `doing`: a sentence. */
  | { readonly status: 'working'; readonly doing: string }
  | ChoosingModel
  /** `trouble`: what is in the way and what to do, a sentence. */
  | { readonly status: 'stuck'; readonly trouble: string; readonly actions: readonly ConnectAction[] };

export interface ChoosingModel {
  readonly status: 'choosing';
  readonly sources: readonly ModelSource[];
  /** The model that is being tried, by its id. */
  readonly trying?: string;
  /** The model that was tried last and cannot be used. */
  readonly refused?: { readonly id: string; readonly trouble: string };
  /** What else can be done than to choose. */
  readonly actions: readonly ConnectAction[];
}

/** A server, or VS Code, with the models that it offers. */
export interface ModelSource {
  readonly name: string;
  /** Host and port; empty: it has none. */
  readonly place: string;
  readonly models: readonly OfferedModel[];
  /** What is wrong with it, a sentence; it has no models then. */
  readonly trouble?: string;
}

export interface OfferedModel {
  /** Names it among all that are offered here. */
  readonly id: string;
  readonly label: string;
}

/** What a person can do about a step, beside choosing a model. */
export type ConnectAction = Intention<'connect.act'>['action'];
