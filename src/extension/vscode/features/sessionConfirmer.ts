/* Asks the user once per session. An open dialog answers all requests about the same session. */

export class SessionConfirmer {
  private readonly ask: () => Promise<boolean>;
  private readonly present: () => string | undefined;
  /** Sessions in which the user agreed. */
  private readonly confirmed = new Set<string>();
  private readonly open = new Map<string, Promise<boolean>>();

  /** @param present the session that is shown */
  constructor(ask: () => Promise<boolean>, present: () => string | undefined) {
    this.ask = ask;
    this.present = present;
  }

  /** Also resolves with false if another session is shown when the user answers. */
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
