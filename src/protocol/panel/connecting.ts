/* How a user connects a model: what they may have, and where they are with what they pressed. */

import type { Intention } from '../intentions.ts';

/** A source of models. */
export type ConnectionMethod = Intention<'connect.start'>['way'];

export interface ConnectState {
  readonly known: KnownConnections;
  /** The step of the way that was pressed last; absent: none, or it is done. */
  readonly step?: ConnectStep;
}

/** Facts about the ways that need no question to a server or a user. An absent one is not known yet. */
export interface KnownConnections {
  /** How many models other extensions offer. */
  readonly vscodeModels?: number;
  /** The project at Google Cloud that would pay; empty: none is named. */
  readonly vertexProject?: string;
  readonly hasGoogleCredentials?: boolean;
  /** The region of AWS that would answer; empty: none is named. */
  readonly awsRegion?: string;
  readonly hasAwsCredentials?: boolean;
  /** Host of the user's resource at Azure; empty: none is named. */
  readonly azureHost?: string;
}

export type ConnectStep = { readonly way: ConnectionMethod } & WayStep;

export type WayStep =
  /** `doing`: a sentence. */
  | { readonly status: 'working'; readonly doing: string }
  | ChoosingModel
  /** `what`: what the user chooses between, a sentence. */
  | { readonly status: 'asking'; readonly what: string; readonly actions: readonly ConnectAction[] }
  /** `problem`: what is in the way and what to do, a sentence. */
  | { readonly status: 'stuck'; readonly problem: string; readonly actions: readonly ConnectAction[] };

export interface ChoosingModel {
  readonly status: 'choosing';
  readonly sources: readonly ModelSource[];
  /** The model that is being tried, by its id. */
  readonly trying?: string;
  /** The model that was tried last and cannot be used. */
  readonly refused?: { readonly id: string; readonly problem: string };
  /** Actions beside choosing a model. */
  readonly actions: readonly ConnectAction[];
}

/** A server, or VS Code, with the models that it offers. */
export interface ModelSource {
  readonly name: string;
  /** Host and port; empty: it has none. */
  readonly place: string;
  readonly models: readonly OfferedModel[];
  /** A sentence about its problem; it has no models then. */
  readonly problem?: string;
}

export interface OfferedModel {
  /** Names it among all that are offered here. */
  readonly id: string;
  readonly label: string;
}

/** A user's action in a step, beside choosing a model. */
export type ConnectAction = Intention<'connect.act'>['action'];
