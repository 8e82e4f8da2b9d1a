/* Records what a page logged, requested and did, within limits. */

import { headOf, oneLine } from '../../base/text.ts';
import type { CdpEvent } from './cdpConnection.ts';

const keptLines = 200;
const lineLimit = 400;

interface Asked {
  readonly method: string;
  readonly url: string;
  /** Id of the document that sent the request. */
  readonly loaderId: string;
  readonly isOpenEnded: boolean;
  status?: number;
  failure?: string;
}

/** The newest lines, and the total number. */
class Lines {
  total = 0;
  private kept: string[] = [];
  private reported = 0;

  add(line: string): void {
    this.total++;
    this.kept.push(headOf(line, lineLimit));
    if (this.kept.length > keptLines * 2) this.kept = this.kept.slice(-keptLines);
  }

  get newest(): readonly string[] {
    const left = this.total - Math.min(this.kept.length, keptLines);
    return [...(left > 0 ? [`[${left} earlier lines left out]`] : []), ...this.kept.slice(-keptLines)];
  }

  /** Returns new lines since the last call, up to `limit`. */
  takeNew(limit: number): readonly string[] {
    const count = this.total - this.reported;
    this.reported = this.total;
    const shown = this.kept.slice(-Math.min(count, limit, this.kept.length));
    if (count === 0) return [];
    return count > shown.length ? [...shown, `[${count - shown.length} more like these]`] : shown;
  }
}

export class PageRecord {
  readonly console = new Lines();
  readonly errors = new Lines();
  readonly failed = new Lines();
  readonly notices = new Lines();
  private readonly requests = new Map<string, Asked>();
  private readonly done = new Lines();
  lastActivity = performance.now();

  /** Number of pending requests, without open-ended ones. */
  get open(): number {
    return [...this.requests.values()].filter(({ isOpenEnded }) => !isOpenEnded).length;
  }

  get network(): readonly string[] {
    return [
      ...this.done.newest,
      ...[...this.requests.values()].slice(-50).map(each => `${lineOf(each)} (open)`),
    ];
  }

  /** Drops the pending requests of the previous document. */
  begin(loaderId: string): void {
    for (const [id, asked] of this.requests) if (asked.loaderId !== loaderId) this.requests.delete(id);
  }

  take({ method, params }: CdpEvent): void {
    switch (method) {
      case 'Runtime.consoleAPICalled': {
        const args: readonly Logged[] = params.args;
        const text = oneLine(args.map(loggedText).join(' '), lineLimit);
        this.log(params.type, text, placeIn(params.stackTrace?.callFrames?.[0]));
        return;
      }
      case 'Runtime.exceptionThrown': {
        const { text, exception, url, lineNumber } = params.exceptionDetails;
        const words = oneLine(exception?.description?.split('\n', 1)[0] ?? text, lineLimit);
        this.log('error', `Uncaught ${words}`, placeIn(url === undefined ? undefined : { url, lineNumber }));
        return;
      }
      case 'Log.entryAdded': {
        const { level, text, url, source } = params.entry;
        // Failed requests are recorded separately.
        if (source !== 'network') this.log(level, oneLine(text, lineLimit), url ? ` (${url})` : '');
        return;
      }
      case 'Network.requestWillBeSent': {
        this.lastActivity = performance.now();
        const { request, requestId, type, loaderId } = params;
        if (params.redirectResponse) this.end(requestId, { status: params.redirectResponse.status });
        const url = headOf(request.url, 300);
        if (url.startsWith('data:')) return;
        const isOpenEnded = type === 'EventSource';
        this.requests.set(requestId, { method: request.method, url, loaderId, isOpenEnded });
        if (this.requests.size > 1_000) this.requests.delete(this.requests.keys().next().value ?? '');
        return;
      }
      case 'Network.responseReceived': {
        const asked = this.requests.get(params.requestId);
        if (asked) asked.status = params.response.status;
        return;
      }
      case 'Network.loadingFinished':
        this.end(params.requestId, {});
        return;
      case 'Network.loadingFailed':
        this.end(params.requestId, params.canceled ? {} : { failure: params.errorText });
        return;
      case 'Network.webSocketCreated':
        this.done.add(`WebSocket ${headOf(params.url, 300)}`);
    }
  }

  private log(type: string, text: string, place: string): void {
    const line = `${type}: ${text}${place}`;
    this.console.add(line);
    if (type === 'error' || type === 'assert') this.errors.add(line);
  }

  private end(id: string, outcome: Pick<Asked, 'status' | 'failure'>): void {
    const asked = this.requests.get(id);
    if (!asked) return;
    this.lastActivity = performance.now();
    this.requests.delete(id);
    const line = lineOf({ ...asked, ...outcome });
    this.done.add(line);
    if (outcome.failure || (asked.status ?? 0) >= 400) this.failed.add(line);
  }
}

function lineOf({ method, url, status, failure }: Asked): string {
  return `${method} ${url} ${failure ?? status ?? ''}`.trim();
}

interface Logged {
  readonly value?: unknown;
  readonly description?: string;
  readonly type: string;
}

function loggedText({ value, description, type }: Logged): string {
  if (typeof value === 'string') return value;
  return headOf(description ?? (value === undefined ? type : JSON.stringify(value)), lineLimit);
}

function placeIn(frame: { readonly url?: string; readonly lineNumber?: number } | undefined): string {
  return frame?.url ? ` (${headOf(frame.url, 200)}:${(frame.lineNumber ?? 0) + 1})` : '';
}
