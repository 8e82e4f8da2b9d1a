import { abortable } from '../../base/abort.ts';
import type { ModelEnd, ModelError, ModelEvent } from '../../core/model.ts';
import type { TransportAnswer } from '../../platform/http/httpTransport.ts';
import { type EndedAnswer, findAnswerFailure } from './answerCheck.ts';
import { readAnswerEvents, ServerReportedError } from './readAnswerEvents.ts';
import type { WireExchange } from './wireExchange.ts';

type GoodEnd = Extract<ModelEnd, { ok: true }>;

/** Assembles an answer from the events of its stream, which may be anything. */
export interface AnswerGatherer {
  /** The server signalled the end. */
  readonly isOver: boolean;
  take(event: unknown): Iterable<TextEvent>;
  /** Called at the end of the stream. */
  finish?(): Iterable<TextEvent>;
  /** Returns the complete answer, or its error. @param server host name; only this host gets its thoughts back */
  end(server: string): ModelEnd;
}

export type TextEvent = Extract<ModelEvent, { text: string }>;

interface Asking {
  /** Makes the client library send the request, and returns the reader of its answer. */
  readonly ask: () => Promise<AnswerGatherer>;
  /** Explains a failure after which the request can be sent differently. Omitted if no failure is recoverable. */
  readonly learn?: () => ModelError | undefined;
  /** Defaults to server-sent events. */
  readonly read?: (answer: TransportAnswer, signal: AbortSignal) => AsyncIterable<readonly unknown[]>;
}

/** Implements `ModelProvider.stream` for one answer. */
export async function* streamServiceAnswer(
  exchange: WireExchange,
  { ask, learn, read = ({ body }, signal) => readAnswerEvents(body, signal) }: Asking,
): AsyncGenerator<ModelEvent> {
  const { signal } = exchange;
  exchange.keepsAnswer = true;
  let end: ModelEnd;
  try {
    const gatherer = await abortable(ask(), signal);
    try {
      for await (const events of read(exchange.answer, signal)) yield* joined(events, gatherer);
    } catch (error) {
      // After a complete answer, the error only means that the connection was closed.
      const isUnreadable = error instanceof SyntaxError || error instanceof ServerReportedError;
      if (!isUnreadable || !gatherer.isOver) throw error;
    }
    if (gatherer.finish) yield* gatherer.finish();
    exchange.isOver = true;
    end = gatherer.end(exchange.hostName);
  } catch (error) {
    const learned = signal.aborted ? undefined : learn?.();
    end = { ok: false, error: learned ?? exchange.classify(error) };
  } finally {
    // Also runs when the consumer leaves early, to close the connection.
    exchange.close();
  }
  yield { type: 'end', end };
}

/** Merges text of one packet, because an event per chunk would cost more than its text. */
function* joined(events: readonly unknown[], gatherer: AnswerGatherer): Generator<ModelEvent> {
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
    // Text before the error counts.
    yield* reported;
    throw error;
  }
  yield* reported;
}

/** Builds the end of an answer, unless the answer has an error. */
export function buildModelEnd(checked: EndedAnswer, good: Omit<GoodEnd, 'ok'>): ModelEnd {
  const error = findAnswerFailure(checked);
  return error ? { ok: false, error } : { ok: true, ...good };
}
