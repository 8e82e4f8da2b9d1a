import { type Signal, signal } from '@preact/signals';

/** Code that is loaded with its first use. */
export class LazyModule<T> {
  private readonly bring: () => Promise<T>;
  private readonly arrived: Signal<T | undefined> = signal(undefined);

  constructor(bring: () => Promise<T>) {
    this.bring = bring;
  }

  /** `undefined` until loaded. Components that read it render again then. */
  get present(): T | undefined {
    return this.arrived.value;
  }

  async load(): Promise<void> {
    this.arrived.value ??= await this.bring();
  }
}
