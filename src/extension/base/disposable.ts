export interface Disposable {
  dispose(): void;
}

/** Disposables of a long-lived object, disposed once, in reverse order. Items added after that are disposed at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    while (this.items.length > 0) this.items.pop()?.dispose();
  }
}

/** Disposes with itself what its `store` holds. */
export abstract class DisposableOwner implements Disposable {
  protected readonly store = new DisposableStore();

  dispose(): void {
    this.store.dispose();
  }
}

export function toDisposable(dispose: () => void): Disposable {
  return { dispose };
}
