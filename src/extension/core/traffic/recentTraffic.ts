import type { ModelRequest } from '../model.ts';
import type { TrafficAnswer, TrafficListener } from './observeTraffic.ts';

/** A request with its answer, if received. */
export interface RecordedExchange {
  readonly request: ModelRequest;
  answer?: Parameters<TrafficAnswer>;
}

/** Stores the latest requests of a window with their answers, for a report. */
export class RecentTraffic implements TrafficListener {
  /** Oldest first. */
  readonly exchanges: RecordedExchange[] = [];
  private readonly limit: number;

  /** @param limit number of stored requests */
  constructor(limit = 20) {
    this.limit = limit;
  }

  request(request: ModelRequest): TrafficAnswer {
    const exchange: RecordedExchange = { request };
    this.exchanges.push(exchange);
    if (this.exchanges.length > this.limit) this.exchanges.shift();
    return (...answer) => {
      exchange.answer = answer;
    };
  }
}
