/* The user, as servers may reach them through Folio. */

import type { Answer, Question } from '../../../protocol/questions.ts';
import type { CallContext } from '../../core/tool.ts';

export interface McpUser {
  /**
   * Shows what a server asks, with its name, and waits. Rejects with the signal's reason when it does not want to know
   * any more.
   */
  answer(request: ServerRequest, signal: AbortSignal): Promise<ServerAnswer>;
  /** While the work continues, what belongs to the call is asked on its card. */
  during?<T>(callId: string, ask: CallContext['ask'], work: () => Promise<T>): Promise<T>;
  /** Shows an address in the browser. False: it could not. */
  open(address: string): Promise<boolean>;
}

export type ServerRequest =
  | {
      readonly kind: 'form';
      readonly server: string;
      readonly message: string;
      readonly questions: readonly Question[];
      /** The call that it belongs to, where only one runs. */
      readonly callId?: string;
    }
  /** To be opened after a yes, which Folio does. */
  | {
      readonly kind: 'address';
      readonly server: string;
      readonly message: string;
      readonly address: string;
      readonly callId?: string;
    };

export type ServerAnswer =
  /** In the order of the questions; empty for an address. */
  | { readonly kind: 'accepted'; readonly answers: readonly Answer[] }
  | { readonly kind: 'declined' }
  /** Closed without a decision. */
  | { readonly kind: 'cancelled' };
