/* A port: agents on other servers, reached over the Agent2Agent protocol. */

import type { LocalizedMessage } from '../../../../protocol/language.ts';
import { LocalizedError } from '../../../base/errors.ts';

export interface RemoteAgentServer {
  /** Scheme, host and port. The user consents to it, and no data goes elsewhere. */
  readonly origin: string;
  /** URL of its card, or the endpoint of a card in the agent's file. */
  readonly card: string | RemoteEndpoint;
  /** Absent: requests have no credentials. */
  readonly login?: RemoteLogin;
  /** The workspace defines the agent, so it gets none of Folio's keys. */
  readonly ofWorkspace: boolean;
}

/** An address that takes requests. */
export interface RemoteEndpoint {
  readonly url: string;
  /** Protocol version: 0.3, or 1.0 and later. */
  readonly version: '0.3' | '1';
  readonly streams: boolean;
  readonly tenant?: string;
}

/** A header with credentials, composed for each request. */
export type RemoteLogin =
  | {
      readonly kind: 'header';
      readonly header: string;
      readonly prefix: string;
      readonly secret: LoginSecret;
    }
  | { readonly kind: 'basic'; readonly user: LoginSecret; readonly password: LoginSecret };

/** An environment variable, or the text itself. */
export type LoginSecret = { readonly variable: string } | { readonly text: string };

/** Names of environment variables whose values a server gets. */
export function loginVariables({ login }: Pick<RemoteAgentServer, 'login'>): readonly string[] {
  if (login === undefined) return [];
  const secrets = login.kind === 'basic' ? [login.user, login.password] : [login.secret];
  return secrets.flatMap(secret => ('variable' in secret ? secret.variable : []));
}

export interface RemoteAgentClient {
  /**
   * Sends a message and resolves when the agent stops working. On abort it asks the server to cancel the task, then
   * rejects with the signal's reason; otherwise rejects with a `RemoteAgentError`.
   */
  send(message: RemoteMessage, signal: AbortSignal): Promise<RemoteAnswer>;
}

export interface RemoteMessage {
  readonly server: RemoteAgentServer;
  readonly text: string;
  /** Continues this conversation; absent: starts one. */
  readonly talk: RemoteConversation | undefined;
  /** Receives the answer's text as it arrives. */
  readonly hear: (text: string) => void;
}

export interface RemoteConversation {
  readonly contextId?: string;
  /** The task that waits for the next message. */
  readonly taskId?: string;
}

export interface RemoteAnswer {
  /** `asks`: the next message continues the task. `wantsLogin`: the user must sign in first. */
  readonly end: 'done' | 'asks' | 'wantsLogin' | 'failed' | 'rejected' | 'canceled';
  readonly text: string;
  readonly talk: RemoteConversation;
}

export class RemoteAgentError extends LocalizedError {
  /** Untrusted text of the server. */
  readonly words: string;

  constructor(say: LocalizedMessage, words = '', cause?: unknown) {
    super(say, { cause });
    this.name = 'RemoteAgentError';
    this.words = words;
  }
}
