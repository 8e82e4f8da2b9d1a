/* Connecting a model: the available ways, and the state of the chosen one. */

import type { Intention } from '../intentions.ts';

/** A source of models. */
export type ConnectionMethodName = Intention<'connect.start'>['way'];

export interface ConnectState {
  readonly known: KnownConnections;
  /** Step of the chosen way. Absent: none is chosen, or it is done. */
  readonly step?: ConnectStep;
}

/** Facts that are known without asking a server or the user. Absent: not known yet. */
export interface KnownConnections {
  /** How many models other extensions offer. */
  readonly vscodeModels?: number;
  /** Google Cloud project that would be charged. Empty: none is set. */
  readonly vertexProject?: string;
  readonly hasGoogleCredentials?: boolean;
  /** AWS region. Empty: none is set. */
  readonly awsRegion?: string;
  readonly hasAwsCredentials?: boolean;
  /** Host of the user's Azure resource. Empty: none is set. */
  readonly azureHost?: string;
}

export type ConnectStep = { readonly way: ConnectionMethodName } & ConnectionStep;

export type ConnectionStep =
  /** `doing`: a sentence. */
  | { readonly status: 'working'; readonly doing: string }
  | ChoosingModel
  /** `what`: one sentence about the choice. */
  | { readonly status: 'asking'; readonly what: string; readonly actions: readonly ConnectAction[] }
  /** `problem`: one sentence about the problem and what to do. */
  | { readonly status: 'stuck'; readonly problem: string; readonly actions: readonly ConnectAction[] };

export interface ChoosingModel {
  readonly status: 'choosing';
  readonly sources: readonly ModelSource[];
  /** Id of the model that is being tested. */
  readonly trying?: string;
  /** Result for the last tested model, if it cannot be used. */
  readonly refused?: { readonly id: string; readonly problem: string };
  /** Actions beside choosing a model. */
  readonly actions: readonly ConnectAction[];
}

/** A server, or VS Code, with the models that it offers. */
export interface ModelSource {
  readonly name: string;
  /** Host and port; empty if it has none. */
  readonly place: string;
  readonly models: readonly OfferedModel[];
  /** One sentence about a problem; `models` is then empty. */
  readonly problem?: string;
}

export interface OfferedModel {
  /** Unique among all offered models. */
  readonly id: string;
  readonly label: string;
}

/** Actions of the user in a step, besides choosing a model. */
export type ConnectAction = Intention<'connect.act'>['action'];
