/** Commands without a terminal that the user may restart in one. */
export class RestartableCommands {
  private readonly offered = new Map<string, AbortController>();

  /** Offers a restart during `work`. The signal is aborted, once, when the user wants it. */
  async during<T>(callId: string, work: (wanted: AbortSignal) => Promise<T>): Promise<T> {
    const intent = new AbortController();
    this.offered.set(callId, intent);
    try {
      return await work(intent.signal);
    } finally {
      this.offered.delete(callId);
    }
  }

  /** Returns false if the command does not run, or already has a terminal. */
  restart(callId: string): boolean {
    const intent = this.offered.get(callId);
    if (!intent || intent.signal.aborted) return false;
    intent.abort(new Error('The user wants to answer it in a terminal'));
    return true;
  }
}
