import type { ModelEnd, ModelEvent, ModelProvider, ModelRequest } from '../model.ts';

/** Notified of each request when sent, and of its answer when complete. Must not throw. */
export interface TrafficListener {
  request(request: ModelRequest): TrafficAnswer;
}

/** Receives the streamed events without `end`. */
export type TrafficAnswer = (events: readonly ModelEvent[], end: ModelEnd) => void;

/** Wraps a provider to observe its requests. */
export function observeTraffic(provider: ModelProvider, listener: TrafficListener): ModelProvider {
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
