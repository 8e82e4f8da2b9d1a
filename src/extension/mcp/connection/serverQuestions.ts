/* What a server asks the person, one question at a time: a person reads one. */

import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { messageOf } from '../../base/errors.ts';
import { answerElicitation } from './elicitation.ts';
import type { McpPerson } from './person.ts';

export interface QuestionParts {
  readonly server: string;
  readonly person: McpPerson | undefined;
  readonly validator: Pick<AjvJsonSchemaValidator, 'getValidator'>;
  readonly log: (line: string) => void;
  /** The connection has ended. */
  readonly isOver: () => boolean;
}

/** Requests to the person that wait at once; more only a server makes that has gone wrong. */
const mostWaiting = 3;

export class ServerQuestions {
  private readonly parts: QuestionParts;
  private readonly running = new Set<string>();
  private asking: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private calls = 0;
  /** The person closed a question then: until the next call there is no other. */
  private closedAt = -1;

  constructor(parts: QuestionParts) {
    this.parts = parts;
  }

  get isWaiting(): boolean {
    return this.waiting > 0;
  }

  /** While `work` goes on, a question may be about this call. */
  async during<T>(callId: string, work: () => Promise<T>): Promise<T> {
    this.running.add(callId);
    this.calls++;
    try {
      return await work();
    } finally {
      this.running.delete(callId);
    }
  }

  /** Never rejects. */
  async ask(params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    const { person, server, validator, isOver } = this.parts;
    if (!person || this.waiting >= mostWaiting) return { action: 'cancel' };
    const [only] = this.running;
    const callId = this.running.size === 1 ? only : undefined;
    this.waiting++;
    const answer = this.asking.then(() => {
      const isUnwanted = this.closedAt === this.calls || signal.aborted || isOver();
      if (isUnwanted) return { action: 'cancel' as const };
      return answerElicitation(params, { server, person, callId, validator }, signal);
    });
    this.asking = answer.then(
      () => undefined,
      () => undefined,
    );
    try {
      const { action, ...rest } = await answer;
      if (action === 'cancel' && !signal.aborted) this.closedAt = this.calls;
      return { action, ...rest };
    } catch (error) {
      this.parts.log(`A question to you could not be shown: ${messageOf(error)}`);
      return { action: 'cancel' };
    } finally {
      this.waiting--;
    }
  }
}
