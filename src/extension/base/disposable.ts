export interface Disposable {
  dispose(): void;
}

/**
 * The possessions of a long-lived object. They are disposed in reverse order, once. An item that is added after that
 * is disposed at once.
 */
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

export function toDisposable(dispose: () => void): Disposable {
  return { dispose };
}
