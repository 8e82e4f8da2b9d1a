import { randomBytes } from 'node:crypto';
import type { AskPermission, FormAnswer } from './askClient.ts';
import type { FolioAnswer } from './askFolio.ts';

/** Milliseconds after which an unanswered ask is denied. */
const answerLimitMs = 10 * 60_000;
/** Clients end a request after some rounds of questions, and users give up earlier. */
const maxAsks = 8;

/** The result of a request: a form to answer, or the end. */
type RunStep =
  | { readonly kind: 'ask'; readonly id: string; readonly message: string }
  | { readonly kind: 'answer'; readonly answer: FolioAnswer };

interface WaitingForm {
  readonly id: string;
  readonly message: string;
  answer(answer: FormAnswer): void;
}

/**
 * A run that outlives the request that started it. By the protocol a question is the result of a request, and the
 * client repeats the request with the answer.
 */
export class ServedRun {
  /** Unguessable, because it identifies the run in the client's next request. */
  readonly id = randomBytes(24).toString('base64url');
  readonly result: Promise<FolioAnswer>;
  private readonly stopping = new AbortController();
  private readonly waiting: WaitingForm[] = [];
  private hear: () => void = () => {};
  private readonly answerLimitMs: number;
  private asked = 0;

  /** @param ended stops the run */
  constructor(
    start: (ask: AskPermission, signal: AbortSignal) => Promise<FolioAnswer>,
    ended: AbortSignal,
    limitMs = answerLimitMs,
  ) {
    this.answerLimitMs = limitMs;
    const signal = AbortSignal.any([ended, this.stopping.signal]);
    this.result = start(message => this.ask(message), signal);
    // The failure reaches whoever awaits the result; possibly nobody does.
    this.result.catch(() => {});
  }

  /** An abort of the request stops the run. */
  async next(request: AbortSignal): Promise<RunStep> {
    const stop = () => this.stopping.abort(request.reason);
    if (request.aborted) stop();
    request.addEventListener('abort', stop, { once: true });
    try {
      const form = new Promise<void>(hear => {
        this.hear = hear;
      });
      const result = this.result.then(answer => ({ kind: 'answer', answer }) as const);
      if (this.waiting.length === 0) {
        const first = await Promise.race([result, form]);
        if (first) return first;
      }
      const [open] = this.waiting;
      return open ? { kind: 'ask', id: open.id, message: open.message } : await this.next(request);
    } finally {
      request.removeEventListener('abort', stop);
    }
  }

  /** Ignores an ask that no longer waits. */
  decide(id: string, answer: FormAnswer): void {
    this.waiting.find(each => each.id === id)?.answer(answer);
  }

  private ask(message: string): Promise<FormAnswer> {
    this.asked++;
    if (this.asked > maxAsks)
      return Promise.resolve({ kind: 'deny', reason: `A prompt may ask ${maxAsks} times.` });
    const id = `ask${this.asked}`;
    return new Promise(resolve => {
      const end = (answer: FormAnswer) => {
        clearTimeout(late);
        const at = this.waiting.findIndex(each => each.id === id);
        if (at >= 0) this.waiting.splice(at, 1);
        resolve(answer);
      };
      const late = setTimeout(
        () => end({ kind: 'deny', reason: 'Nobody answered in time.' }),
        this.answerLimitMs,
      );
      late.unref();
      this.stopping.signal.addEventListener('abort', () => end({ kind: 'deny' }), { once: true });
      this.waiting.push({ id, message, answer: end });
      this.hear();
    });
  }
}
