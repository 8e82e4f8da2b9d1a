import type { Disposable, DisposableStore } from '../base/disposable.ts';
import type { Log } from '../platform/log.ts';

/**
 * Registers features one by one. If a registration throws, because a fork of VS Code lacks an API, the failure is
 * logged and recorded, and other features still load.
 */
export class FeatureRegistrar {
  private readonly store: DisposableStore;
  private readonly log: Pick<Log, 'error'>;
  private readonly names: string[] = [];

  constructor(store: DisposableStore, log: Pick<Log, 'error'>) {
    this.store = store;
    this.log = log;
  }

  /** Names of the features that could not be registered. */
  get refused(): readonly string[] {
    return this.names;
  }

  /** @param name an identifier, for the log */
  add(name: string, register: () => Disposable): void {
    try {
      this.store.add(register());
    } catch (error) {
      this.names.push(name);
      this.log.error(`The feature "${name}" could not be registered`, error);
    }
  }
}
