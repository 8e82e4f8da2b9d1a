/* Takes screenshots of the page, with the user's masked elements painted over. */

import {
  BrowserError,
  type PictureDifference,
  type PictureRegion,
  type Screenshot,
} from '../../platform/browser/browser.ts';
import {
  type EvaluationResult,
  type FrameTree,
  framesOf,
  type PageElement,
  type PageElements,
  type SendCommand,
} from './pageElements.ts';
import type { PaintedPicture, PictureCanvas, PictureFormat } from './pictureCanvas.ts';

const pageHeight = 800;
const maxPart = 2_000;
/** Attempts at a screenshot while masked elements appear and disappear. */
const attempts = 3;
/** Letters extend slightly beyond their box. */
const margin = 2;

/** Returns the boxes of elements including their content, also in open shadow trees. Invisible elements have none. */
const boxesCode = `(selectors, withFrames) => {
  const roots = [document], found = [];
  for (const root of roots) {
    for (const each of root.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot);
    for (const selector of selectors) found.push(...root.querySelectorAll(selector));
    if (withFrames) found.push(...[...root.querySelectorAll('iframe, frame')].filter(each => each.contentDocument === null));
  }
  const isDrawn = each => getComputedStyle(each).display === 'contents'
    || each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const boxes = found.map(each => {
    if (!isDrawn(each) && ![...each.querySelectorAll('*')].some(isDrawn)) return undefined;
    const range = document.createRange();
    range.selectNodeContents(each);
    const rects = [...each.getClientRects(), ...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (rects.length === 0) return undefined;
    const x = Math.min(...rects.map(({ left }) => left)), y = Math.min(...rects.map(({ top }) => top));
    const right = Math.max(...rects.map(each => each.right)), bottom = Math.max(...rects.map(each => each.bottom));
    return { x, y, width: right - x, height: bottom - y };
  });
  return { boxes: boxes.filter(Boolean), width: innerWidth, height: innerHeight };
}`;

/** Parts of the page hidden in screenshots. */
interface Covered {
  /** CSS selectors. */
  readonly mask: () => readonly string[];
  /** Node ids of fields with secrets. */
  readonly fields: () => readonly number[];
}

interface FrameBoxes {
  readonly boxes: readonly PictureRegion[];
  readonly width: number;
  readonly height: number;
}

export class PagePictures {
  private readonly send: SendCommand;
  private readonly elements: PageElements;
  private readonly covered: Covered;
  private readonly canvas: () => Promise<PictureCanvas>;
  /** 0 for the size of the user's window. */
  private width = 0;

  constructor(
    send: SendCommand,
    elements: PageElements,
    covered: Covered,
    canvas: () => Promise<PictureCanvas>,
  ) {
    this.send = send;
    this.elements = elements;
    this.covered = covered;
    this.canvas = canvas;
  }

  async resize(width: number, height = pageHeight): Promise<void> {
    this.width = width;
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  /** @param compareTo an image file in Base64 */
  async look(
    at: string | undefined,
    compareTo: string | undefined,
  ): Promise<Screenshot & { readonly difference?: PictureDifference }> {
    const picture = { mimeType: 'image/jpeg', ...(await this.take(at, 'jpeg')) } as const;
    if (compareTo === undefined) return picture;
    // A JPEG from here has the same compression losses if the page is unchanged. Other formats are compared without
    // losses.
    const isJpeg = compareTo.startsWith('/9j/');
    const { data } = isJpeg ? picture : await this.take(at, 'png');
    return { ...picture, difference: await (await this.canvas()).compare(data, compareTo) };
  }

  /** Returns why no screenshot can be taken, or `undefined`. */
  async findMaskProblem(): Promise<string | undefined> {
    const mask = this.covered.mask();
    if (mask.length === 0) return undefined;
    const invalid = await (await this.canvas()).findInvalid(mask);
    return invalid === undefined
      ? undefined
      : `No pictures are taken: ${JSON.stringify(invalid)} in the user's setting folio.browser.mask is no CSS selector of elements. Only the user can correct it.`;
  }

  private async take(at: string | undefined, format: PictureFormat): Promise<PaintedPicture> {
    const element = at === undefined ? undefined : await this.elements.find(at);
    const isCovered = this.covered.mask().length + this.covered.fields().length > 0;
    if (isCovered || (this.isUsers && element)) return this.takeMasked(element, format);
    if (this.isUsers) return this.takeView(format);
    const box = element && (await this.boxOf(element));
    const clip = box && {
      ...box,
      width: Math.min(box.width, maxPart),
      height: Math.min(box.height, maxPart),
      scale: 1,
    };
    const data = await this.capture(format, { clip, captureBeyondViewport: clip !== undefined });
    const { width, height } = clip ?? { width: this.width, height: pageHeight };
    return { data, width: Math.round(width), height: Math.round(height) };
  }

  private get isUsers(): boolean {
    return this.width === 0;
  }

  /** CSS pixels. */
  private async sizeOfView(): Promise<{ readonly width: number; readonly height: number }> {
    if (!this.isUsers) return { width: this.width, height: pageHeight };
    const { cssVisualViewport } = await this.send<LayoutMetrics>('Page.getLayoutMetrics');
    if (cssVisualViewport.scale !== 1)
      throw new BrowserError('The user has magnified the tab, so no picture of it is taken.');
    const { frameTree } = await this.send<{ frameTree: FrameTree }>('Page.getFrameTree');
    return this.inFrame<FrameBoxes>(frameTree.frame.id, boxesCode);
  }

  /** The user's tab unchanged, with one image pixel per CSS pixel. */
  private async takeView(format: PictureFormat): Promise<PaintedPicture> {
    const { width, height } = await this.sizeOfView();
    const { cssVisualViewport, visualViewport } = await this.send<LayoutMetrics>('Page.getLayoutMetrics');
    const { pageX: x, pageY: y, clientWidth } = cssVisualViewport;
    const scale = clientWidth / visualViewport.clientWidth;
    return { data: await this.capture(format, { clip: { x, y, width, height, scale } }), width, height };
  }

  /**
   * Captures only the viewport, scrolled to the element: beyond it, Chromium would use another layout, and masked
   * elements would move after their measurement.
   */
  private async takeMasked(element: PageElement | undefined, format: PictureFormat): Promise<PaintedPicture> {
    const problem = await this.findMaskProblem();
    if (problem !== undefined) throw new BrowserError(problem);
    const height = Math.min(Math.ceil(element ? (await this.boxOf(element)).height : 0), maxPart);
    const view = await this.sizeOfView();
    // Does not resize the user's window.
    const isHigh = !this.isUsers && height > view.height;
    if (isHigh) await this.resize(this.width, height);
    try {
      if (element) await this.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: element.backendNodeId });
      for (let attempt = 0; attempt < attempts; attempt++) {
        const crop =
          element && (await this.partInView(element, { ...view, height: isHigh ? height : view.height }));
        const before = await this.maskedBoxes();
        const data = await this.capture('png', {});
        const after = await this.maskedBoxes();
        if (before.length !== after.length) continue;
        // For an element that moves, covers both positions and the area between.
        const boxes = before.map((box, index) => around([box, after[index] ?? box]));
        return await (await this.canvas()).paint(data, view.width, boxes, crop, format);
      }
    } finally {
      if (isHigh) await this.resize(this.width);
    }
    throw new BrowserError(
      'What the user masks with folio.browser.mask comes and goes, so no picture was taken. Wait until the page is still.',
    );
  }

  private async capture(format: PictureFormat, options: object): Promise<string> {
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', {
      format,
      quality: format === 'jpeg' ? 80 : undefined,
      ...options,
    });
    return data;
  }

  private async boxOf(element: PageElement, origin: 'page' | 'view' = 'page'): Promise<PictureRegion> {
    const code =
      'function (x0, y0) { const { x, y, width, height } = this.getBoundingClientRect(); return { x: x + x0 * scrollX, y: y + y0 * scrollY, width, height }; }';
    const scrolled = origin === 'page' ? 1 : 0;
    const box = await this.elements.call<PictureRegion>(element, code, scrolled, scrolled);
    if (box.width === 0 || box.height === 0) throw new BrowserError('The element is not visible.');
    return box;
  }

  private async partInView(
    element: PageElement,
    view: Pick<PictureRegion, 'width' | 'height'>,
  ): Promise<PictureRegion> {
    const box = await this.boxOf(element, 'view');
    const [x, y] = [Math.max(0, Math.floor(box.x)), Math.max(0, Math.floor(box.y))];
    const width = Math.min(Math.ceil(box.x + box.width), view.width) - x;
    const height = Math.min(Math.ceil(box.y + box.height), view.height) - y;
    if (width <= 0 || height <= 0) throw new BrowserError('The element is not visible.');
    return { x, y, width, height };
  }

  /** Relative to the viewport, for all frames. */
  private async maskedBoxes(): Promise<readonly PictureRegion[]> {
    const { frameTree } = await this.send<{ frameTree: FrameTree }>('Page.getFrameTree');
    const all = (await this.inFrame<FrameBoxes>(frameTree.frame.id, boxesCode)).boxes.slice();
    for (const frameId of framesOf(frameTree)) {
      const inner = await this.inFrame<FrameBoxes>(frameId, boxesCode);
      if (inner.boxes.length > 0) all.push(...(await this.placed(frameId, inner)));
    }
    for (const field of this.covered.fields()) all.push(...(await this.boxesOfField(field)));
    return all.map(({ x, y, width, height }) => ({
      x: Math.floor(x) - margin,
      y: Math.floor(y) - margin,
      width: Math.ceil(width) + 2 * margin + 1,
      height: Math.ceil(height) + 2 * margin + 1,
    }));
  }

  private async boxesOfField(backendNodeId: number): Promise<readonly PictureRegion[]> {
    try {
      const { model } = await this.send<{ model: { border: Quad } }>('DOM.getBoxModel', { backendNodeId });
      return [hullOf(model.border)];
    } catch (error) {
      // The frame was removed with its document, or is invisible.
      if (error instanceof BrowserError) return [];
      throw error;
    }
  }

  /** Converts boxes in a frame to page coordinates. Covers a rotated frame completely. */
  private async placed(frameId: string, { boxes, width, height }: FrameBoxes) {
    const { backendNodeId } = await this.send<{ backendNodeId: number }>('DOM.getFrameOwner', { frameId });
    const { model } = await this.send<{ model: { content: Quad } }>('DOM.getBoxModel', { backendNodeId });
    const [left, top, right, turned, , bottom] = model.content;
    if (Math.abs(top - turned) > 0.5 || right <= left || bottom <= top) return [hullOf(model.content)];
    const [across, down] = [(right - left) / width, (bottom - top) / height];
    return boxes.map(box => ({
      x: left + box.x * across,
      y: top + box.y * down,
      width: box.width * across,
      height: box.height * down,
    }));
  }

  /** Runs in an isolated world that the page's scripts cannot change. */
  private async inFrame<Value>(frameId: string, code: string): Promise<Value> {
    const { executionContextId } = await this.send<{ executionContextId: number }>(
      'Page.createIsolatedWorld',
      {
        frameId,
        worldName: 'folio',
      },
    );
    const { result, exceptionDetails } = await this.send<EvaluationResult>('Runtime.evaluate', {
      // Frames in other processes cannot be inspected.
      expression: `(${code})(${JSON.stringify(this.covered.mask())}, ${this.isUsers && this.covered.mask().length > 0})`,
      contextId: executionContextId,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new BrowserError(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Value;
  }
}

interface LayoutMetrics {
  readonly cssVisualViewport: {
    readonly pageX: number;
    readonly pageY: number;
    readonly clientWidth: number;
    /** Greater than 1 if the user has pinch-zoomed. */
    readonly scale: number;
  };
  /** Screen pixels. */
  readonly visualViewport: { readonly clientWidth: number };
}

/** Four corners clockwise from the top left: x, y, x, y … */
type Quad = readonly [number, number, number, number, number, number, number, number];

function hullOf(quad: Quad): PictureRegion {
  const corners = [0, 2, 4, 6].map(at => ({ x: quad[at] ?? 0, y: quad[at + 1] ?? 0, width: 0, height: 0 }));
  return around(corners);
}

function around(boxes: readonly PictureRegion[]): PictureRegion {
  const [x, y] = [Math.min(...boxes.map(box => box.x)), Math.min(...boxes.map(box => box.y))];
  const right = Math.max(...boxes.map(box => box.x + box.width));
  const bottom = Math.max(...boxes.map(box => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
