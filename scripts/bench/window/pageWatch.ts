/* Code that runs in the window's page and frames. Times are wall clock, to compare with the model server. */

/** Records of a panel's frame, in milliseconds. */
export interface PageNotes {
  /** Times of Enter. */
  readonly enters: number[];
  /** Times of clicks. */
  readonly clicks: number[];
  /** From each key to the frame that shows its letter. */
  readonly keys: number[];
  /** Newest drawn chunk, and since when. */
  readonly painted: (readonly [chunk: number, at: number])[];
}

declare global {
  interface Window {
    benchNotes?: PageNotes;
  }
}

/**
 * Runs in the window's page. Resolves with the time from the next key until the extension's panel has its field. A
 * webview has two nested frames, both of the origin of the page.
 */
export function fromKeyToField(extension: string): Promise<number> {
  return new Promise(resolve => {
    const findField = () => {
      const outer = document.querySelector<HTMLIFrameElement>(
        `iframe.webview[src*="extensionId=${extension}"]`,
      );
      const inner = outer?.contentDocument?.querySelector<HTMLIFrameElement>('iframe#active-frame');
      return inner?.contentDocument?.querySelector<HTMLElement>('textarea')?.offsetParent;
    };
    const begin = ({ timeStamp, key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Alt') return;
      window.removeEventListener('keydown', begin, true);
      const look = () => {
        if (findField()) setTimeout(() => resolve(performance.now() - timeStamp));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener('keydown', begin, true);
  });
}

/** Runs in a panel's frame, once. */
export function watchPanel(): void {
  const notes: PageNotes = { enters: [], clicks: [], keys: [], painted: [] };
  window.benchNotes = notes;
  const wallOf = ({ timeStamp }: Event) => Date.now() - (performance.now() - timeStamp);
  const afterPaint = (then: () => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(0);
  };
  let pressedAt = 0;
  window.addEventListener(
    'keydown',
    event => {
      pressedAt = event.timeStamp;
      if (event.key === 'Enter') notes.enters.push(wallOf(event));
    },
    true,
  );
  window.addEventListener('click', event => notes.clicks.push(wallOf(event)), true);
  window.addEventListener('input', () => {
    const from = pressedAt;
    requestAnimationFrame(() => afterPaint(() => notes.keys.push(performance.now() - from)));
  });

  // Its observer runs in each frame after layout and before paint.
  const last = document.createElement('i');
  for (const [name, value] of Object.entries({ position: 'fixed', visibility: 'hidden', height: '1px' }))
    last.style.setProperty(name, value);
  document.body.append(last);
  let shown = -1;
  const look = () => {
    const tail = [...document.querySelectorAll('.answer')].at(-1)?.textContent?.slice(-100) ?? '';
    const chunk = Number(/.*w(\d+)/s.exec(tail)?.[1] ?? -1);
    if (chunk !== shown && chunk >= 0) afterPaint(() => notes.painted.push([chunk, Date.now()]));
    shown = chunk;
  };
  new ResizeObserver(look).observe(last);
  let width = 1;
  const tick = () => {
    width = 3 - width;
    last.style.setProperty('width', `${width}px`);
    requestAnimationFrame(tick);
  };
  tick();
}

/** Runs in a panel's frame. Resolves with the time when the last matching element has this text and is drawn. */
export function whenLastShows(wanted: { readonly selector: string; readonly text: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const giveUpAt = performance.now() + 120_000;
    const look = () => {
      const last = [...document.querySelectorAll<HTMLElement>(wanted.selector)].at(-1);
      if (last?.offsetParent && last.textContent?.includes(wanted.text))
        setTimeout(() => resolve(Date.now()));
      else if (performance.now() > giveUpAt)
        reject(
          new Error(`"${wanted.text}" never came. The page shows: ${document.body.innerText.slice(-2000)}`),
        );
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
