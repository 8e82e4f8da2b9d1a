import type { ModelRequest } from '../model.ts';
import type { TrafficAnswer, TrafficListener } from './recordTraffic.ts';

/** A request with its answer, if received. */
export interface Exchange {
  readonly request: ModelRequest;
  answer?: Parameters<TrafficAnswer>;
}

/** Stores the latest requests of a window with their answers, for a report. */
export class RecentTraffic implements TrafficListener {
  /** Oldest first. */
  readonly exchanges: Exchange[] = [];
  private readonly limit: number;

  /** @param limit number of stored requests */
  constructor(limit = 20) {
    this.limit = limit;
  }

  request(request: ModelRequest): TrafficAnswer {
    const exchange: Exchange = { request };
    this.exchanges.push(exchange);
    if (this.exchanges.length > this.limit) this.exchanges.shift();
    return (...answer) => {
      exchange.answer = answer;
    };
  }
}
