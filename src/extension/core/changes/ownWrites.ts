/** Files that Folio is writing now. VS Code reports these writes as typing, so its reports are ignored. */
export class OwnWrites {
  private readonly writes = new Map<string, number>();

  readonly has = (path: string): boolean => this.writes.has(path);

  async hold<T>(path: string, write: () => Promise<T>): Promise<T> {
    this.writes.set(path, (this.writes.get(path) ?? 0) + 1);
    try {
      return await write();
    } finally {
      const left = (this.writes.get(path) ?? 1) - 1;
      if (left > 0) this.writes.set(path, left);
      else this.writes.delete(path);
    }
  }
}
