import { type Signal, signal } from '@preact/signals';

/** Code of the page that comes with its first use. */
export class LatePart<T> {
  private readonly bring: () => Promise<T>;
  private readonly arrived: Signal<T | undefined> = signal(undefined);

  constructor(bring: () => Promise<T>) {
    this.bring = bring;
  }

  /** `undefined` until it is there; what reads it is drawn again then. */
  get present(): T | undefined {
    return this.arrived.value;
  }

  async load(): Promise<void> {
    this.arrived.value ??= await this.bring();
  }
}
