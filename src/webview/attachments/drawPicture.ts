import { t } from '../../protocol/language.ts';
import { mediaLimitBytes } from '../../protocol/mediaLimit.ts';
import { dataUrlOf, type Picture, type PictureAttachment, readBase64 } from './pictureData.ts';

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Region extends Size {
  readonly x: number;
  readonly y: number;
}

/** Longer side of a picture after shrinking, in pixels. Services read at most half of it. */
const longestSide = 4000;

/** Rejects if the data is no picture. */
export async function loadPicture(picture: Picture): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = dataUrlOf(picture);
  await image.decode();
  return image;
}

export function sizeOf({ naturalWidth, naturalHeight }: HTMLImageElement): Size {
  return { width: naturalWidth, height: naturalHeight };
}

/** Returns the size shrunk to a square of this side. */
export function fitSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Rejects if the browser lacks memory. */
export async function drawRegion(
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

/** Converts a picture that is too large or of an unsupported type. Rejects if the data is no picture. */
export async function convertPicture(picture: Picture, name: string) {
  const image = await loadPicture(picture);
  const whole = { x: 0, y: 0, ...sizeOf(image) };
  const size = fitSize(whole, longestSide);
  const hasPhotoType = picture.mimeType === 'image/jpeg';
  const first = await drawRegion(image, whole, size, hasPhotoType ? 'image/jpeg' : 'image/png');
  const isSmall = first.data.length * 0.75 <= mediaLimitBytes;
  const blob = isSmall ? first : await drawRegion(image, whole, size, 'image/jpeg');
  const attachments: readonly PictureAttachment[] = [{ kind: 'image', name, blob }];
  if (size.width === whole.width) return { attachments };
  return {
    attachments,
    sentence: t('{0} was made smaller: {1} × {2} pixels.', name, size.width, size.height),
  };
}
