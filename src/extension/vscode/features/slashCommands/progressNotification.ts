import { ProgressLocation, window } from 'vscode';

/** Most work ends before anybody could read a message about it. */
const quickMs = 1_500;

/** Shows that something takes long, with a button to cancel. Hidden while the user is asked about it. */
export class ProgressNotification {
  private question: Promise<unknown> | undefined;
  private reportQuestion: (() => void) | undefined;

  async show<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const running = work(abort.signal);
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    const settled = running.then(done, done);
    while (!isDone) {
      await this.question;
      await Promise.race([settled, new Promise(resolve => setTimeout(resolve, quickMs))]);
      if (isDone || this.question) continue;
      const asked = new Promise<void>(resolve => {
        this.reportQuestion = resolve;
      });
      await window.withProgress(
        { location: ProgressLocation.Notification, title, cancellable: true },
        async (_progress, token) => {
          token.onCancellationRequested(() => abort.abort());
          await Promise.race([settled, asked]);
        },
      );
    }
    return running;
  }

  /** Hides the notice during the question. */
  async pause<T>(ask: () => Promise<T>): Promise<T> {
    const question = ask();
    // The notice only needs to know that the question was answered.
    this.question = question.catch(() => undefined);
    this.reportQuestion?.();
    try {
      return await question;
    } finally {
      this.question = undefined;
    }
  }
}
