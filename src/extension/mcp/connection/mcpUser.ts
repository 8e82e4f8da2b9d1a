/* Servers' access to the user, through Folio. */

import type { Answer, Question } from '../../../protocol/questions.ts';
import type { CallContext } from '../../core/tool.ts';

export interface McpUser {
  /**
   * Shows a server's request with the server's name, and waits. Rejects with the signal's reason if the server
   * withdraws it.
   */
  answer(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** Shows requests that belong to the call on its card while `work` runs. */
  during?<T>(callId: string, ask: CallContext['ask'], work: () => Promise<T>): Promise<T>;
  /** Opens an address in the browser. Resolves to false if it cannot. */
  open(address: string): Promise<boolean>;
}

export type ElicitationRequest =
  | {
      readonly kind: 'form';
      readonly server: string;
      readonly message: string;
      readonly questions: readonly Question[];
      /** The call that the request belongs to, if only one runs. */
      readonly callId?: string;
    }
  /** Folio opens it after the user agrees. */
  | {
      readonly kind: 'address';
      readonly server: string;
      readonly message: string;
      readonly address: string;
      readonly callId?: string;
    };

export type ElicitationAnswer =
  /** In the order of the questions. Empty for an address. */
  | { readonly kind: 'accepted'; readonly answers: readonly Answer[] }
  | { readonly kind: 'declined' }
  /** Closed without a decision. */
  | { readonly kind: 'cancelled' };
