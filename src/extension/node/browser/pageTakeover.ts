/* Lets the user control the page: sends pictures of it as it changes, and receives the user's input. */

import {
  BrowserError,
  type PageInput,
  type PageLoss,
  type PageViewer,
} from '../../platform/browser/browser.ts';
import type { CdpEvent } from './cdpConnection.ts';
import type { SendCommand } from './pageElements.ts';
import type { PageSecrets } from './pageSecrets.ts';

/** On macOS these shortcuts are system commands, which a headless browser does not get. */
const commandsOfKeys: Readonly<Record<string, string>> = { a: 'selectAll', z: 'undo', y: 'redo' };
const meta = 4;

export class PageTakeover {
  private readonly send: SendCommand;
  private readonly secrets: PageSecrets;
  private viewer: PageViewer | undefined;
  private onEnd: (lost?: PageLoss) => void = () => {};
  private size = { width: 1, height: 1 };
  private begunAt = 0;
  /** Applies input in the order of arrival. */
  private order: Promise<void> = Promise.resolve();
  /** The user is about to take over the page, so the agent takes no further step. */
  isWanted = false;

  constructor(send: SendCommand, secrets: PageSecrets) {
    this.send = send;
    this.secrets = secrets;
  }

  /** The user controls the page. */
  get isHeld(): boolean {
    return this.viewer !== undefined;
  }

  /** @param onEnd called once, when the page is given back or lost */
  async begin(viewer: PageViewer, onEnd: (lost?: PageLoss) => void): Promise<void> {
    this.isWanted = false;
    this.viewer = viewer;
    this.onEnd = onEnd;
    this.begunAt = performance.now();
    try {
      await this.send('Page.startScreencast', { format: 'jpeg', quality: 80 });
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Resolves with the number of seconds for which the user had the page. */
  async end(): Promise<number> {
    try {
      await this.order;
      await this.secrets.note();
      await this.send('Page.stopScreencast');
    } finally {
      this.leave();
    }
    return Math.round((performance.now() - this.begunAt) / 1000);
  }

  /** Ends the user's control. @param lost what was lost */
  leave(lost?: PageLoss): void {
    const { viewer } = this;
    this.viewer = undefined;
    this.isWanted = false;
    if (viewer) this.onEnd(lost);
  }

  take({ method, params }: CdpEvent, address: string): void {
    if (method === 'Page.screencastFrame') void this.show(params, address).catch(passOver);
  }

  /** Shows a dialog of the page to the user. */
  async answer({ type, message, defaultPrompt }: PageDialog): Promise<void> {
    const isLeaving = type === 'beforeunload';
    const text = isLeaving
      ? ''
      : await this.viewer?.answer({ kind: type, message, value: defaultPrompt ?? '' });
    const accept = text !== undefined;
    await this.send('Page.handleJavaScriptDialog', { accept, promptText: text }).catch(passOver);
  }

  input(event: PageInput): Promise<void> {
    const next = this.order.then(() => (this.viewer ? this.dispatch(event) : undefined));
    this.order = next.catch(passOver);
    return this.order;
  }

  private async show({ data, metadata, sessionId }: Frame, address: string): Promise<void> {
    this.size = { width: metadata.deviceWidth, height: metadata.deviceHeight };
    await this.viewer?.show({ data, ...this.size, address });
    await this.send('Page.screencastFrameAck', { sessionId });
  }

  private async dispatch(event: PageInput): Promise<void> {
    switch (event.kind) {
      case 'mouse': {
        const { type, button, buttons, clickCount, modifiers } = event;
        if (type === 'mousePressed') await this.secrets.note();
        const point = this.pointOf(event);
        await this.send('Input.dispatchMouseEvent', {
          ...point,
          type,
          button,
          buttons,
          clickCount,
          modifiers,
        });
        return;
      }
      case 'wheel': {
        const { deltaX, deltaY, modifiers } = event;
        const wheel = { ...this.pointOf(event), type: 'mouseWheel', deltaX, deltaY, modifiers };
        await this.send('Input.dispatchMouseEvent', wheel);
        return;
      }
      case 'key':
        return this.press(event);
      case 'text':
        await this.secrets.note(event.text);
        await this.send('Input.insertText', { text: event.text });
        return;
    }
  }

  private async press({ type, keyCode, ...key }: Extract<PageInput, { kind: 'key' }>): Promise<void> {
    const { text, modifiers } = key;
    const isDown = type === 'keyDown';
    if (isDown) await this.secrets.note(text?.length === 1 && text !== '\r' ? text : '');
    const command = (modifiers & meta) !== 0 ? commandsOfKeys[key.key.toLowerCase()] : undefined;
    await this.send('Input.dispatchKeyEvent', {
      type: isDown && text === undefined ? 'rawKeyDown' : type,
      key: key.key,
      code: key.code,
      windowsVirtualKeyCode: keyCode,
      modifiers,
      text,
      commands: isDown && command !== undefined ? [command] : undefined,
    });
  }

  private pointOf({ x, y }: { readonly x: number; readonly y: number }) {
    return { x: x * this.size.width, y: y * this.size.height };
  }
}

export interface PageDialog {
  readonly type: string;
  readonly message: string;
  readonly defaultPrompt?: string;
}

interface Frame {
  readonly data: string;
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number };
  readonly sessionId: number;
}

/** Ignores that the page is gone; that ends the turn elsewhere. */
function passOver(error: unknown): void {
  if (!(error instanceof BrowserError)) throw error;
}
