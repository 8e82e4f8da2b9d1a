import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A fact that many may listen to. Listeners run in the order of subscription, at once. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    // A wrapper, so that one function can subscribe twice.
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
