import type { Message } from '../../../protocol/events.ts';
import type { ModelEnd, ModelEvent, ModelRequest } from '../model.ts';
import { maskMessagesIn } from '../recording/maskEvent.ts';
import type { TrafficListener } from './observeTraffic.ts';
import type { RecordedExchange } from './recentTraffic.ts';
import { type TrafficLine, toRecordedEnd } from './trafficLine.ts';

/** Earlier requests to compare with: those of a session and its subagents. */
const remembered = 8;

interface Written {
  readonly n: number;
  readonly head: string;
  readonly messages: readonly string[];
}

/** Formats requests and answers as lines, with secrets masked. */
class TrafficWriter {
  private count = 0;
  private readonly newest: Written[] = [];

  /** Returns the line, and the number for its answer. */
  writeRequest({ model, system, tools, messages }: ModelRequest): {
    readonly n: number;
    readonly line: string;
  } {
    const n = ++this.count;
    const written: Written = {
      n,
      head: JSON.stringify([system, tools]),
      messages: messages.map(message => JSON.stringify(message)),
    };
    const like = this.findLike(written);
    this.newest.push(written);
    if (this.newest.length > remembered) this.newest.shift();
    if (like === undefined)
      return { n, line: lineOf({ type: 'request', n, model, system, tools, messages }) };
    const kept = countShared(like.messages, written.messages);
    const rest: readonly Message[] = messages.slice(kept);
    return { n, line: lineOf({ type: 'request', n, model, like: like.n, kept, messages: rest }) };
  }

  writeAnswer(n: number, events: readonly ModelEvent[], end: ModelEnd): string {
    const reported = events.flatMap(event => (event.type === 'end' ? [] : [event]));
    return lineOf({ type: 'answer', n, events: reported, end: toRecordedEnd(end) });
  }

  /** Returns the request with the same prompt and tools that shares the most messages. */
  private findLike({ head, messages }: Written): Written | undefined {
    const alike = this.newest.filter(each => each.head === head);
    const shared = (each: Written) => countShared(each.messages, messages);
    return alike.reduce<Written | undefined>(
      (best, each) => (best !== undefined && shared(best) > shared(each) ? best : each),
      undefined,
    );
  }
}

/** Writes each request and answer as one line when it occurs. */
export function trafficWriter(write: (line: string) => void): TrafficListener {
  const writer = new TrafficWriter();
  return {
    request: request => {
      const { n, line } = writer.writeRequest(request);
      write(line);
      return (events, end) => write(writer.writeAnswer(n, events, end));
    },
  };
}

/** Returns the lines of stored exchanges, oldest first. */
export function formatExchanges(exchanges: readonly RecordedExchange[]): readonly string[] {
  const lines: string[] = [];
  const listener = trafficWriter(line => lines.push(line));
  for (const { request, answer } of exchanges) {
    const reportAnswer = listener.request(request);
    if (answer !== undefined) reportAnswer(...answer);
  }
  return lines;
}

function countShared(before: readonly string[], after: readonly string[]): number {
  const differs = after.findIndex((message, index) => message !== before[index]);
  return differs === -1 ? after.length : differs;
}

function lineOf(line: TrafficLine): string {
  return JSON.stringify(maskMessagesIn(line));
}
