/** Commands that run without a terminal, as long as the person may have them run anew in one. */
export class Restarts {
  private readonly offered = new Map<string, AbortController>();

  /** Offers it while the work goes on; the signal is aborted when the person wants it, once. */
  async during<T>(callId: string, work: (wanted: AbortSignal) => Promise<T>): Promise<T> {
    const wish = new AbortController();
    this.offered.set(callId, wish);
    try {
      return await work(wish.signal);
    } finally {
      this.offered.delete(callId);
    }
  }

  /** False when it does not run, or has a terminal already. */
  restart(callId: string): boolean {
    const wish = this.offered.get(callId);
    if (!wish || wish.signal.aborted) return false;
    wish.abort(new Error('The person wants to answer it in a terminal'));
    return true;
  }
}
