/* The page of the agent's browser while the user has it: between the browser, the host and the tab that shows it. */

interface Modified<Kind> {
  readonly kind: Kind;
  /** As the DevTools protocol counts them: Alt 1, Control 2, Meta 4, Shift 8. */
  readonly modifiers: number;
}

/** A part of the picture's width or height: 0 to 1. */
interface Place {
  readonly x: number;
  readonly y: number;
}

export type PageInput =
  | (Modified<'mouse'> &
      Place & {
        readonly type: 'mousePressed' | 'mouseReleased' | 'mouseMoved';
        readonly button: 'none' | 'left' | 'middle' | 'right' | 'back' | 'forward';
        readonly buttons: number;
        readonly clickCount: number;
      })
  | (Modified<'wheel'> & Place & { readonly deltaX: number; readonly deltaY: number })
  | (Modified<'key'> & {
      readonly type: 'keyDown' | 'keyUp';
      readonly key: string;
      readonly code: string;
      readonly keyCode: number;
      readonly text?: string | undefined;
    })
  | { readonly kind: 'text'; readonly text: string };

export interface PageFrame {
  /** A JPEG in base64. */
  readonly data: string;
  /** In CSS pixels of the page. */
  readonly width: number;
  readonly height: number;
  readonly address: string;
}

/** The page closed alone, or with its browser. */
export type PageLoss = 'page' | 'browser';

/**
 * Sent by the tab. `drawn`: the newest picture is on the screen, so another one may come. `alive`: asks for an
 * `alive` of the host.
 */
export type FromPageTab =
  | { readonly type: 'ready' | 'drawn' | 'alive' | 'giveBack' }
  | { readonly type: 'input'; readonly input: PageInput };

/** Sent to the tab. */
export type ToPageTab =
  | ({ readonly type: 'frame' } & PageFrame)
  | { readonly type: 'lost'; readonly lost: PageLoss }
  | { readonly type: 'alive' };
