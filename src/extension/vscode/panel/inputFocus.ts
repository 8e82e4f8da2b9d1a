import type { ToWebview } from '../../../protocol/panel/messages.ts';

interface FocusedPanel {
  readonly feed: { deliver(message: ToWebview): void };
  /** Gives the panel the focus. */
  reveal(): Promise<void>;
}

/**
 * Gives the focus back to the panel after VS Code's inputs. A focus closes the input that is open, so one that nobody
 * just asked for waits until no input is open.
 */
export class InputFocus {
  private readonly panel: FocusedPanel;
  private open = 0;
  /** Messages for when the panel gets the focus; empty: it gets none. */
  private late: (ToWebview | undefined)[] = [];
  private returning: Promise<void> | undefined;

  constructor(panel: FocusedPanel) {
    this.panel = panel;
  }

  /** Like `show`, but while an input is open it waits, and resolves at once. */
  async showLate(message?: ToWebview): Promise<void> {
    if (this.open > 0) this.late.push(message);
    else await this.show(message);
  }

  /** Reveals the panel, then shows something in it. */
  async show(message?: ToWebview): Promise<void> {
    this.late.push(message);
    const late = this.late.splice(0);
    this.returning = this.panel.reveal();
    await this.returning;
    for (const each of late) if (each) this.panel.feed.deliver(each);
  }

  /**
   * @param isUsed called before the input opens; false: the focus was elsewhere and stays there
   * @param ask shows inputs or modal dialogs. A notification may stay for ever, and others would wait for it.
   */
  async keep<T>(isUsed: () => boolean, ask: () => Promise<T>): Promise<T> {
    // A pending focus change would close the next input. Who caused it hears of its failure.
    await this.returning?.catch(() => {});
    const wasUsed = isUsed();
    this.open++;
    try {
      return await ask();
    } finally {
      this.open--;
      if (wasUsed || this.late.length > 0) await this.showLate();
    }
  }
}
