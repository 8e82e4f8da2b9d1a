/** Commands that run without a terminal, as long as the user may have them run again in one. */
export class Restarts {
  private readonly offered = new Map<string, AbortController>();

  /** Offers it while the work continues; the signal is aborted when the user wants it, once. */
  async during<T>(callId: string, work: (wanted: AbortSignal) => Promise<T>): Promise<T> {
    const intent = new AbortController();
    this.offered.set(callId, intent);
    try {
      return await work(intent.signal);
    } finally {
      this.offered.delete(callId);
    }
  }

  /** False when it does not run, or has a terminal already. */
  restart(callId: string): boolean {
    const intent = this.offered.get(callId);
    if (!intent || intent.signal.aborted) return false;
    intent.abort(new Error('The user wants to answer it in a terminal'));
    return true;
  }
}
