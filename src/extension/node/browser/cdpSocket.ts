/* The Chrome DevTools Protocol over a socket to one tab of the user's browser. It reaches no other tab. */

import { BrowserError } from '../../platform/browser/browser.ts';
import { CdpConnection, type CdpEvent } from './cdpConnection.ts';

const openMs = 5_000;

export class CdpSocket extends CdpConnection {
  protected readonly afterSilence = 'the tab is no longer shared. The user can share it again.';
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket, listener: (event: CdpEvent) => void, onEnd: () => void) {
    super(listener, onEnd);
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => this.read(String(data)));
    socket.addEventListener('close', () => this.end(new BrowserError('The tab or its browser was closed.')));
  }

  /** Rejects with a `BrowserError`. @param onEnd called once, when nothing more can be sent */
  static async open(
    address: string,
    listener: (event: CdpEvent) => void,
    onEnd: () => void,
  ): Promise<CdpSocket> {
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => {
        socket.close();
        reject(new BrowserError(`The tab could not be reached: ${why}`));
      };
      const late = setTimeout(() => fail(`no answer within ${openMs / 1000} s`), openMs);
      const settle = (act: () => void) => () => {
        clearTimeout(late);
        act();
      };
      socket.addEventListener('open', settle(resolve), { once: true });
      socket.addEventListener(
        'error',
        settle(() => fail('it was refused')),
        { once: true },
      );
    });
    return new CdpSocket(socket, listener, onEnd);
  }

  protected write(message: string): void {
    this.socket.send(message);
  }

  protected destroy(): void {
    this.socket.close();
  }
}
