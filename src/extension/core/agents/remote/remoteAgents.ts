/* A port: agents on other servers, reached over the Agent2Agent protocol. */

import type { Saying } from '../../../../protocol/language.ts';
import { SpokenError } from '../../../base/errors.ts';

export interface RemoteServer {
  /** Scheme, host and port. The user consents to it, and nothing is sent anywhere else. */
  readonly origin: string;
  /** The address of its card, or the endpoint that a card in the agent's file names. */
  readonly card: string | Endpoint;
  /** Absent: requests carry no credentials. */
  readonly login?: Login;
  /** The workspace brings the agent: it gets none of Folio's own keys. */
  readonly ofWorkspace: boolean;
}

/** Takes the requests of an agent. */
export interface Endpoint {
  readonly url: string;
  /** Version of the protocol: 0.3, or 1.0 and later. */
  readonly version: '0.3' | '1';
  /** Answers with a stream of events where asked to. */
  readonly streams: boolean;
  readonly tenant?: string;
}

/** A header with credentials, put together when a request is made. */
export type Login =
  | { readonly kind: 'header'; readonly header: string; readonly prefix: string; readonly secret: Secret }
  | { readonly kind: 'basic'; readonly user: Secret; readonly password: Secret };

/** A variable of the environment, or the text itself. */
export type Secret = { readonly variable: string } | { readonly text: string };

/** The variables of the environment whose values a server gets. */
export function variablesOf({ login }: Pick<RemoteServer, 'login'>): readonly string[] {
  if (login === undefined) return [];
  const secrets = login.kind === 'basic' ? [login.user, login.password] : [login.secret];
  return secrets.flatMap(secret => ('variable' in secret ? secret.variable : []));
}

export interface RemoteAgents {
  /**
   * Sends a message and resolves when the agent rests. On abort it has the server cancel the task, then rejects with
   * the signal's reason; else it rejects with a `RemoteAgentError`.
   */
  send(message: RemoteMessage, signal: AbortSignal): Promise<RemoteAnswer>;
}

export interface RemoteMessage {
  readonly server: RemoteServer;
  readonly text: string;
  /** Continues this conversation; absent: begins one. */
  readonly talk: RemoteTalk | undefined;
  /** Gets the text of the answer as it comes. */
  readonly hear: (text: string) => void;
}

export interface RemoteTalk {
  readonly contextId?: string;
  /** The task that waits for the next message. */
  readonly taskId?: string;
}

export interface RemoteAnswer {
  /** `asks`: the task continues with the next message. `wantsLogin`: the user must sign in somewhere first. */
  readonly end: 'done' | 'asks' | 'wantsLogin' | 'failed' | 'rejected' | 'canceled';
  readonly text: string;
  readonly talk: RemoteTalk;
}

/** One sentence says what went wrong. */
export class RemoteAgentError extends SpokenError {
  /** The server's own words: foreign text. */
  readonly words: string;

  constructor(say: Saying, words = '', cause?: unknown) {
    super(say, { cause });
    this.name = 'RemoteAgentError';
    this.words = words;
  }
}
