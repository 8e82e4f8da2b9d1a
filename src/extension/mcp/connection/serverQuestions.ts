/* Asks the user a server's questions one at a time: a user reads one. */

import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { messageOf } from '../../base/errors.ts';
import { answerElicitation } from './elicitation.ts';
import type { McpUser } from './user.ts';

/** Requests to the user that wait at once; more only a server makes that has gone wrong. */
const maxWaiting = 3;

export class ServerQuestions {
  private readonly server: string;
  private readonly user: McpUser | undefined;
  private readonly validator: Pick<AjvJsonSchemaValidator, 'getValidator'>;
  private readonly log: (line: string) => void;
  private readonly isOver: () => boolean;
  private readonly running = new Set<string>();
  private asking: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private calls = 0;
  /** The user closed a question then: until the next call there is no other. */
  private closedAt = -1;

  /** @param isOver the connection has ended */
  constructor(
    server: string,
    user: McpUser | undefined,
    validator: Pick<AjvJsonSchemaValidator, 'getValidator'>,
    log: (line: string) => void,
    isOver: () => boolean,
  ) {
    this.server = server;
    this.user = user;
    this.validator = validator;
    this.log = log;
    this.isOver = isOver;
  }

  get isWaiting(): boolean {
    return this.waiting > 0;
  }

  /** While `work` continues, a question may be about this call. */
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
    const { user, server, validator, isOver } = this;
    if (!user || this.waiting >= maxWaiting) return { action: 'cancel' };
    const [only] = this.running;
    const callId = this.running.size === 1 ? only : undefined;
    this.waiting++;
    const answer = this.asking.then(() => {
      const isUnwanted = this.closedAt === this.calls || signal.aborted || isOver();
      if (isUnwanted) return { action: 'cancel' as const };
      return answerElicitation(params, { server, user, callId, validator }, signal);
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
      this.log(`A question to you could not be shown: ${messageOf(error)}`);
      return { action: 'cancel' };
    } finally {
      this.waiting--;
    }
  }
}
