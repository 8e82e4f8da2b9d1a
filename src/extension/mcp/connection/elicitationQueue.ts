import { AsyncLocalStorage } from 'node:async_hooks';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { t } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { sanitiseLine } from '../../base/text.ts';
import { answerElicitation } from './elicitation.ts';
import type { ElicitationAnswer, McpUser } from './mcpUser.ts';

/** Maximum number of waiting requests. Only a faulty server makes more. */
const maxWaiting = 3;

export class ElicitationQueue {
  private readonly server: string;
  private readonly user: McpUser | undefined;
  private readonly validator: Pick<AjvJsonSchemaValidator, 'getValidator'>;
  private readonly log: (line: string) => void;
  private readonly isOver: () => boolean;
  private readonly running = new Set<string>();
  private readonly context = new AsyncLocalStorage<string>();
  private asking: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private calls = 0;
  /** Number of the call during which the user closed a question. No other is asked until the next call. */
  private closedAt = -1;

  /** @param isOver true once the connection has ended */
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

  /** Attributes questions to this call while `work` runs. */
  async during<T>(callId: string, work: () => Promise<T>): Promise<T> {
    this.running.add(callId);
    this.calls++;
    try {
      return await this.context.run(callId, work);
    } finally {
      this.running.delete(callId);
    }
  }

  /** Asks whether to send a call again whose answer was lost. Never rejects. */
  async confirmRepeat(tool: string, signal: AbortSignal): Promise<boolean> {
    const { server } = this;
    const said = await this.queue<ElicitationAnswer>(signal, { kind: 'cancelled' }, (user, callId) => {
      const message = t(
        'The answer to {0} ended early. The request may still have been carried out.',
        sanitiseLine(tool, 60),
      );
      const question = { header: t('Send again'), text: t('Send the call again?'), field: yesNo };
      return user.answer({ kind: 'form', server, callId, message, questions: [question] }, signal);
    });
    return said.kind === 'accepted' && said.answers[0]?.[0]?.toLowerCase() === 'yes';
  }

  /** Never rejects. */
  async ask(params: ElicitRequest['params'], signal: AbortSignal): Promise<ElicitResult> {
    const { server, validator, isOver } = this;
    const answer = await this.queue<ElicitResult>(signal, { action: 'cancel' }, async (user, callId) => {
      if (this.closedAt === this.calls || isOver()) return { action: 'cancel' };
      return await answerElicitation(params, { server, user, callId, validator }, signal);
    });
    if (answer.action === 'cancel' && !signal.aborted) this.closedAt = this.calls;
    return answer;
  }

  /** @param otherwise the result if the user cannot be asked */
  private async queue<T>(
    signal: AbortSignal,
    otherwise: T,
    ask: (user: McpUser, callId: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { user } = this;
    if (!user || this.waiting >= maxWaiting) return otherwise;
    const [only] = this.running;
    // Over HTTP a question arrives with the answer to its call. Older programs do not say to which call it belongs.
    const callId = this.context.getStore() ?? (this.running.size === 1 ? only : undefined);
    this.waiting++;
    const answer = this.asking.then(() => (signal.aborted ? otherwise : ask(user, callId)));
    this.asking = answer.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await answer;
    } catch (error) {
      this.log(`A question to you could not be shown: ${messageOf(error)}`);
      return otherwise;
    } finally {
      this.waiting--;
    }
  }
}

const yesNo = { kind: 'yesNo' } as const;
