/* Changes pictures: to another type, to another size, to a part. */

import { t } from '../../protocol/language.ts';
import { mediaLimitBytes } from '../../protocol/mediaLimit.ts';
import { addressOf, type Picture, type PictureAttachment, readBase64 } from './pictureData.ts';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Region extends Size {
  readonly x: number;
  readonly y: number;
}

/** The longer side of a picture that was too large. No service reads more than half of it. */
const longestSide = 4000;

/** Rejects for what is no picture. */
export async function loadPicture(picture: Picture): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = addressOf(picture);
  await image.decode();
  return image;
}

export function sizeOf({ naturalWidth, naturalHeight }: HTMLImageElement): Size {
  return { width: naturalWidth, height: naturalHeight };
}

/** The size within a square of this side; a smaller picture stays as it is. */
export function fitted({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Rejects where the browser has not enough memory for it. */
export async function draw(
  source: CanvasImageSource,
  part: Region,
  { width, height }: Size,
  mimeType: string,
): Promise<Picture> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')!.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, mimeType, 0.9));
  if (!blob) throw new Error('The picture could not be drawn.');
  return { mimeType: blob.type, data: await readBase64(blob) };
}

/** Makes a picture that models take of one whose type they do not, or that is too large. Rejects for what is none. */
export async function convertPicture(picture: Picture, name: string) {
  const image = await loadPicture(picture);
  const whole = { x: 0, y: 0, ...sizeOf(image) };
  const size = fitted(whole, longestSide);
  const hasPhotoType = picture.mimeType === 'image/jpeg';
  const first = await draw(image, whole, size, hasPhotoType ? 'image/jpeg' : 'image/png');
  const isSmall = first.data.length * 0.75 <= mediaLimitBytes;
  const blob = isSmall ? first : await draw(image, whole, size, 'image/jpeg');
  const attachments: readonly PictureAttachment[] = [{ kind: 'image', name, blob }];
  if (size.width === whole.width) return { attachments };
  return {
    attachments,
    sentence: t('{0} was made smaller: {1} × {2} pixels.', name, size.width, size.height),
  };
}
