/* Decodes, compares and paints pictures in an empty page of the browser that no other page can reach. */

import { BrowserError, type PictureDifference, type PictureRegion } from '../../platform/browser/browser.ts';
import { findDifferences } from './differences.ts';
import type { EvaluationResult, SendCommand } from './pageElements.ts';

/**
 * Maximum ignored difference of one colour channel (0 to 255). Shadows one step stronger differ by little more,
 * anti-aliased edges mostly by less.
 */
const tolerance = 5;
/** Larger pictures would take gigabytes when decoded. */
const maxPixels = 25_000_000;
const maskColour = '#7f7f7f';

export type PictureFormat = 'jpeg' | 'png';

/** Checks the size before decoding the pixels. */
const decode = `async data => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await new Promise((yes, no) => { image.onload = yes; image.onerror = () => no(new Error('unreadable')); });
  if (image.naturalWidth * image.naturalHeight > ${maxPixels}) throw new Error('large');
  return createImageBitmap(image);
}`;

/** Draws transparent pixels on white, like a page. */
const compareCode = `async (data, otherData) => {
  const decode = ${decode};
  const [one, other] = await Promise.all([decode(data), decode(otherData)]);
  const scale = [2, 3].find(times => other.width === one.width * times && other.height === one.height * times) ?? 1;
  const width = Math.min(one.width, other.width / scale), height = Math.min(one.height, other.height / scale);
  const pixelsOf = (picture, scale) => {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, picture.width / scale, picture.height / scale);
    return context.getImageData(0, 0, width, height).data;
  };
  const a = pixelsOf(one, 1), b = pixelsOf(other, scale);
  const bits = new Uint8Array(Math.ceil(width * height / 8));
  for (let at = 0, i = 0; at < width * height; at++, i += 4)
    if (Math.abs(a[i] - b[i]) > ${tolerance} || Math.abs(a[i + 1] - b[i + 1]) > ${tolerance} || Math.abs(a[i + 2] - b[i + 2]) > ${tolerance})
      bits[at >> 3] |= 1 << (at & 7);
  let text = '';
  for (let at = 0; at < bits.length; at += 30000) text += String.fromCharCode(...bits.subarray(at, at + 30000));
  return {
    size: { width: one.width, height: one.height },
    otherSize: { width: other.width, height: other.height },
    scale, width, height, bits: btoa(text),
  };
}`;

const paintCode = `async (data, width, boxes, crop, format) => {
  const picture = await (${decode})(data);
  const scale = picture.width / (width || picture.width);
  const [across, down] = [picture.width / scale, picture.height / scale].map(Math.round);
  const part = crop ?? { x: 0, y: 0, width: across, height: down };
  const canvas = new OffscreenCanvas(part.width, part.height);
  const context = canvas.getContext('2d');
  context.drawImage(picture, -part.x, -part.y, across, down);
  context.fillStyle = '${maskColour}';
  for (const { x, y, width, height } of boxes) context.fillRect(x - part.x, y - part.y, width, height);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/' + format, quality: 0.8 })).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 30000) text += String.fromCharCode(...bytes.subarray(at, at + 30000));
  return { data: btoa(text), width: part.width, height: part.height };
}`;

/** Rejects selectors of pseudo-elements too, because they are valid but match nothing. */
const invalidCode = `selectors => selectors.find(selector => {
  if (/::|:(before|after|first-line|first-letter)\\b/.test(selector.replace(/"[^"]*"|'[^']*'/g, ''))) return true;
  try { document.querySelector(selector); return false; } catch { return true; }
})`;

interface Compared extends Pick<PictureDifference, 'size' | 'otherSize' | 'scale'> {
  readonly width: number;
  readonly height: number;
  readonly bits: string;
}

export interface PaintedPicture {
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

export class PictureCanvas {
  private readonly send: SendCommand;

  constructor(send: SendCommand) {
    this.send = send;
  }

  /** Compares two Base64 pictures. Rejects if the other one is invalid or too large. */
  async compare(data: string, otherData: string): Promise<PictureDifference> {
    const { bits, width, height, ...sizes } = await this.call<Compared>(compareCode, data, otherData);
    const { count, regions, more } = findDifferences(Buffer.from(bits, 'base64'), width, height);
    return { ...sizes, share: count / (width * height), regions, more };
  }

  /**
   * Paints boxes over a Base64 picture, and scales it to the width of the viewport.
   *
   * @param crop the part to keep; all if omitted
   */
  paint(
    data: string,
    width: number,
    boxes: readonly PictureRegion[],
    crop: PictureRegion | undefined,
    format: PictureFormat,
  ): Promise<PaintedPicture> {
    return this.call<PaintedPicture>(paintCode, data, width, boxes, crop ?? null, format);
  }

  /** Returns the first invalid CSS selector. */
  findInvalid(selectors: readonly string[]): Promise<string | undefined> {
    return this.call(invalidCode, selectors);
  }

  private async call<Value>(code: string, ...args: readonly unknown[]): Promise<Value> {
    const { result, exceptionDetails } = await this.send<EvaluationResult>('Runtime.evaluate', {
      expression: `(${code})(${args.map(arg => JSON.stringify(arg)).join(', ')})`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (!exceptionDetails) return result.value as Value;
    const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
    if (why.startsWith('Error: unreadable'))
      throw new BrowserError('The file is no picture that a browser reads.');
    if (why.startsWith('Error: large'))
      throw new BrowserError(`The picture has more than ${maxPixels / 1_000_000} million pixels.`);
    throw new BrowserError(why);
  }
}
