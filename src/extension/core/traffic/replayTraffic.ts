/*
 * A provider that replays a recording. Each recorded answer is given once: to a request with the same text as its
 * recorded one, else with the same structure, since paths, dates and command output vary.
 */

import type { Message } from '../../../protocol/events.ts';
import { ModelError, type ModelProvider, type ModelRequest } from '../model.ts';
import { maskMessagesIn } from '../recording/maskEvent.ts';
import {
  type AnswerLine,
  parseTraffic,
  type RequestLine,
  TrafficError,
  type TrafficLine,
  toModelEnd,
} from './trafficLine.ts';

interface Recorded {
  readonly model: string;
  readonly words: string;
  readonly form: string;
  readonly answer: AnswerLine;
}

/** Throws `TrafficError` if the text is no recording. */
export function replayTraffic(text: string): ModelProvider {
  const waiting = [...readExchanges(parseTraffic(text))];
  if (waiting.length === 0) throw new TrafficError('It holds no answer.');
  const models = [...new Set(waiting.map(({ model }) => model))];
  const take = (request: ModelRequest) => {
    const asked = describe(request.messages, request.tools.length > 0);
    const exact = waiting.findIndex(({ words }) => words === asked.words);
    const index = exact === -1 ? waiting.findIndex(({ form }) => form === asked.form) : exact;
    return index === -1 ? undefined : waiting.splice(index, 1)[0];
  };
  return {
    async *stream(request) {
      const found = request.signal.aborted ? undefined : take(request);
      if (found === undefined) {
        yield {
          type: 'end',
          end: { ok: false, error: request.signal.aborted ? aborted() : unknownRequest() },
        };
        return;
      }
      yield* found.answer.events;
      yield { type: 'end', end: toModelEnd(found.answer.end) };
    },
    listModels: async () => models.map(id => ({ id, label: id, contextLimit: 1_048_576 })),
  };
}

function* readExchanges(lines: readonly TrafficLine[]): Iterable<Recorded> {
  const requests = new Map<number, RequestLine>();
  const messages = new Map<number, readonly Message[]>();
  const withTools = new Map<number, boolean>();
  for (const line of lines) {
    if (line.type === 'request') {
      const { n, like = 0, kept = 0 } = line;
      requests.set(n, line);
      messages.set(n, [...(messages.get(like) ?? []).slice(0, kept), ...line.messages]);
      withTools.set(n, line.tools === undefined ? (withTools.get(like) ?? false) : line.tools.length > 0);
      continue;
    }
    const request = requests.get(line.n);
    if (request === undefined) throw new TrafficError(`The answer ${line.n} has no request before it.`);
    const described = describe(messages.get(line.n) ?? [], withTools.get(line.n) ?? false);
    yield { model: request.model, ...described, answer: line };
  }
}

function describe(messages: readonly Message[], hasTools: boolean): Pick<Recorded, 'words' | 'form'> {
  const last = messages.at(-1);
  const parts = last?.parts.map(part => ('name' in part ? `${part.kind} ${part.name}` : part.kind)) ?? [];
  return {
    words: JSON.stringify(maskMessagesIn({ messages })),
    form: [hasTools ? 'tools' : 'plain', messages.length, ...parts].join(','),
  };
}

function unknownRequest(): ModelError {
  const what = 'The recording has no answer left for this request.';
  const then = 'Replay it with the prompt and the files that it was recorded with, or record it again.';
  return new ModelError('badRequest', () => `${what} ${then}`, { retryable: false });
}

function aborted(): ModelError {
  return new ModelError('aborted', () => 'The request was stopped.', { retryable: false });
}
