/* Messages about the agent's browser page while the user controls it in a tab. */

interface Modified<Kind> {
  readonly kind: Kind;
  /** Bits of the DevTools protocol: Alt 1, Control 2, Meta 4, Shift 8. */
  readonly modifiers: number;
}

/** Fractions of the picture's width and height, 0 to 1. */
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
  /** JPEG, Base64. */
  readonly data: string;
  /** In CSS pixels of the page. */
  readonly width: number;
  readonly height: number;
  readonly address: string;
}

/** Says what closed: only the page, or its browser. */
export type PageLoss = 'page' | 'browser';

/**
 * Sent by the tab. `drawn`: the newest picture is on screen, so the next can be sent. `alive`: ping, answered by
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
