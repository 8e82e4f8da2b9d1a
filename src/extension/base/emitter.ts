import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** An event with any number of listeners, called synchronously in the order of subscription. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    // Wrapped, so that one function can subscribe twice.
    const entry = (value: T) => listener(value);
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
