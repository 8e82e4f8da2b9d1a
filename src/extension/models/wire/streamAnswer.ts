import { abortable } from '../../base/abort.ts';
import type { ModelEnd, ModelError, ModelEvent } from '../../core/model.ts';
import type { TransportAnswer } from '../../platform/http/httpTransport.ts';
import { type CheckedAnswer, findAnswerFailure } from './answerCheck.ts';
import type { Exchange } from './exchange.ts';
import { ReportedError, readAnswer } from './readAnswer.ts';

type GoodEnd = Extract<ModelEnd, { ok: true }>;

/** Puts an answer together of the events of its stream, which may be anything. */
export interface Gatherer {
  /** The server said that nothing follows. */
  readonly isOver: boolean;
  take(event: unknown): Iterable<TextEvent>;
  /** No more comes. */
  finish?(): Iterable<TextEvent>;
  /** The answer as a whole, if it is good. @param server name of the host, which alone gets its thoughts back */
  end(server: string): ModelEnd;
}

export type TextEvent = Extract<ModelEvent, { text: string }>;

interface Asking {
  /** Has the client library send the request, and gives what reads its answer. */
  readonly ask: () => Promise<Gatherer>;
  /** Explains a failure that teaches how to send the request otherwise; absent: no failure does. */
  readonly learn?: () => ModelError | undefined;
  /** Absent: the answer is a stream of server-sent events. */
  readonly read?: (answer: TransportAnswer, signal: AbortSignal) => AsyncIterable<readonly unknown[]>;
}

/** One answer, by the contract of `ModelProvider.stream`. */
export async function* streamAnswer(
  exchange: Exchange,
  { ask, learn, read = ({ body }, signal) => readAnswer(body, signal) }: Asking,
): AsyncGenerator<ModelEvent> {
  const { signal } = exchange;
  exchange.keepsAnswer = true;
  let end: ModelEnd;
  try {
    const gatherer = await abortable(ask(), signal);
    try {
      for await (const events of read(exchange.answer, signal)) yield* joined(events, gatherer);
    } catch (error) {
      // Behind a finished answer it says no more than that the connection was given up.
      const isUnreadable = error instanceof SyntaxError || error instanceof ReportedError;
      if (!isUnreadable || !gatherer.isOver) throw error;
    }
    if (gatherer.finish) yield* gatherer.finish();
    exchange.isOver = true;
    end = gatherer.end(exchange.hostName);
  } catch (error) {
    const learned = signal.aborted ? undefined : learn?.();
    end = { ok: false, error: learned ?? exchange.classify(error) };
  } finally {
    // Also runs when the consumer leaves early: the connection must not live on.
    exchange.close();
  }
  yield { type: 'end', end };
}

/** Text that arrived together is reported together: in a flood each event would cost more than its text. */
function* joined(events: readonly unknown[], gatherer: Gatherer): Generator<ModelEvent> {
  const reported: { type: TextEvent['type']; text: string }[] = [];
  try {
    for (const event of events) {
      for (const { type, text } of gatherer.take(event)) {
        const last = reported.at(-1);
        if (last?.type === type) last.text += text;
        else reported.push({ type, text });
      }
    }
  } catch (error) {
    // Text that came before it counts.
    yield* reported;
    throw error;
  }
  yield* reported;
}

/** The end of an answer, unless there is something wrong with it. */
export function endOf(checked: CheckedAnswer, good: Omit<GoodEnd, 'ok'>): ModelEnd {
  const error = findAnswerFailure(checked);
  return error ? { ok: false, error } : { ok: true, ...good };
}
