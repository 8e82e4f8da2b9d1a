/* The Chrome DevTools Protocol, independent of the transport. */

import { BrowserError } from '../../platform/browser/browser.ts';

export interface CdpEvent {
  readonly method: string;
  readonly sessionId?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own types are as many as its methods.
  readonly params: any;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const answerMs = 20_000;

export abstract class CdpConnection {
  private readonly waiting = new Map<number, Waiting>();
  private readonly listener: (event: CdpEvent) => void;
  private readonly onEnd: () => void;
  private newest = 0;
  private ended: Error | undefined;
  /** True disables the timeout, because the user decides when the browser answers. */
  isPatient = false;

  /** @param onEnd called once, when nothing more can be sent */
  constructor(listener: (event: CdpEvent) => void, onEnd: () => void) {
    this.listener = listener;
    this.onEnd = onEnd;
  }

  protected abstract write(message: string): void;
  protected abstract destroy(): void;
  /** Completes an error message: what happens to a browser that does not answer. */
  protected abstract readonly afterSilence: string;

  /** Rejects with a `BrowserError` if the browser refuses, exits or does not answer. */
  send<Result = unknown>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    if (this.ended) return Promise.reject(this.ended);
    const id = ++this.newest;
    return new Promise<Result>((resolve, reject) => {
      // A page with an endless script never answers.
      const watch = () => setTimeout(check, answerMs);
      const check = () => {
        if (this.isPatient) late = watch();
        else
          this.end(
            new BrowserError(`The page did not answer within ${answerMs / 1000} s, so ${this.afterSilence}`),
          );
      };
      let late = watch();
      const settle = (act: () => void) => {
        clearTimeout(late);
        this.waiting.delete(id);
        act();
      };
      this.waiting.set(id, {
        resolve: result => settle(() => resolve(result as Result)),
        reject: error => settle(() => reject(error)),
      });
      this.write(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  /** @param error rejects pending and later requests */
  end(error: Error): void {
    if (this.ended) return;
    this.ended = error;
    for (const each of [...this.waiting.values()]) each.reject(error);
    this.destroy();
    this.onEnd();
  }

  protected read(text: string): void {
    const message: CdpEvent & { id?: number; result?: unknown; error?: { message: string } } =
      JSON.parse(text);
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (message.id === undefined) this.listener(message);
    else if (message.error) waiting?.reject(new BrowserError(message.error.message));
    else waiting?.resolve(message.result);
  }
}
