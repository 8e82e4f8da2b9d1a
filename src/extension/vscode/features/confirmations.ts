/* Asks the user once for each session; a dialog that is open already answers for whoever asks about the same session. */

export class Confirmations {
  private readonly ask: () => Promise<boolean>;
  private readonly present: () => string | undefined;
  /** Sessions in which the user said yes. */
  private readonly confirmed = new Set<string>();
  private readonly open = new Map<string, Promise<boolean>>();

  /** @param present the session that is shown */
  constructor(ask: () => Promise<boolean>, present: () => string | undefined) {
    this.ask = ask;
    this.present = present;
  }

  /** Resolves with false, too, when another session is shown by the time of the answer. */
  confirm(sessionId: string): Promise<boolean> {
    const asked = this.open.get(sessionId) ?? this.askFor(sessionId);
    this.open.set(sessionId, asked);
    return asked.finally(() => this.open.delete(sessionId));
  }

  private async askFor(sessionId: string): Promise<boolean> {
    if (this.confirmed.has(sessionId)) return true;
    if (!(await this.ask()) || this.present() !== sessionId) return false;
    this.confirmed.add(sessionId);
    return true;
  }
}
