import type { ModelEnd, ModelEvent, ModelProvider, ModelRequest } from '../model.ts';

/** Hears of each request as it is sent and of its answer as it ends. Must not throw. */
export interface TrafficListener {
  request(request: ModelRequest): TrafficAnswer;
}

/** Gets what the provider streamed, its `end` apart. */
export type TrafficAnswer = (events: readonly ModelEvent[], end: ModelEnd) => void;

/** The same provider, with a listener to all that is asked of it. */
export function recordTraffic(provider: ModelProvider, listener: TrafficListener): ModelProvider {
  return {
    async *stream(request) {
      const reportAnswer = listener.request(request);
      const events: ModelEvent[] = [];
      for await (const event of provider.stream(request)) {
        if (event.type === 'end') reportAnswer(events, event.end);
        else events.push(event);
        yield event;
      }
    },
    load: async model => provider.load?.(model),
    listModels: signal => provider.listModels(signal),
  };
}
