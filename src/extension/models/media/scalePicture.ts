/* Scales pictures down with Photon (WebAssembly, no native parts), in a thread of its own (scaleThread.ts). */

import type { PhotonImage } from '@cf-wasm/photon/others';
import type { Blob } from '../../../protocol/events.ts';
import { once } from '../../base/once.ts';
import type { ScaleGoal, ScalePicture } from './fitMedia.ts';
import type { PictureFacts } from './readPictureFacts.ts';

/** Reads the WebAssembly file. */
type ReadScaler = () => Promise<Uint8Array>;

/** Services scale larger pictures down themselves. */
const usefulSide = 1_960;
/** Limits memory: a decoded pixel takes four bytes, and so does its copy. */
const maxPixels = 40_000_000;
const smallestSide = 200;

export function pictureScaler(readScaler: ReadScaler): ScalePicture {
  const loadPhoton = once(async () => {
    const photon = await import('@cf-wasm/photon/others');
    const bytes = await readScaler();
    // One instance serves the whole process.
    if (!photon.initPhoton.initialized) await photon.initPhoton({ module_or_path: bytes });
    await photon.initPhoton.ensure();
    return photon;
  });
  return async (bytes, facts, goal) => {
    if (facts.kind === 'broken' || pixelsOf(facts) > maxPixels) return undefined;
    try {
      return scale(await loadPhoton(), bytes, facts, goal);
    } catch {
      // If the picture cannot be decoded or Photon cannot be loaded, the picture is omitted and its size is stated.
      return undefined;
    }
  };
}

type Photon = typeof import('@cf-wasm/photon/others');

function pixelsOf(facts: PictureFacts): number {
  return facts.kind === 'whole' ? facts.width * facts.height : 0;
}

function scale(photon: Photon, bytes: Buffer, facts: PictureFacts, goal: ScaleGoal): Blob | undefined {
  const image = photon.PhotonImage.new_from_byteslice(bytes);
  try {
    const longer = Math.max(image.get_width(), image.get_height());
    const first = Math.min(longer, goal.side, usefulSide);
    for (let side = first; side >= Math.min(first, smallestSide); side = Math.floor(side * 0.7)) {
      const made = encode(photon, image, side / longer, facts);
      const found = made.find(({ data }) => data.length <= goal.length);
      if (found) return found;
    }
    return undefined;
  } finally {
    image.free();
  }
}

/** PNG keeps sharp edges. Photographs, and pictures whose PNG is too large, become JPEG. */
function encode(photon: Photon, image: PhotonImage, factor: number, facts: PictureFacts): readonly Blob[] {
  const width = Math.max(1, Math.round(image.get_width() * factor));
  const height = Math.max(1, Math.round(image.get_height() * factor));
  const smaller = photon.resize(image, width, height, photon.SamplingFilter.Triangle);
  try {
    const isPhotograph = facts.kind === 'whole' && facts.mimeType === 'image/jpeg';
    const turned = facts.kind === 'whole' ? facts.orientation : undefined;
    const jpeg = {
      mimeType: 'image/jpeg',
      data: base64(withOrientation(smaller.get_bytes_jpeg(82), turned)),
    };
    return isPhotograph ? [jpeg] : [{ mimeType: 'image/png', data: base64(smaller.get_bytes()) }, jpeg];
  } finally {
    smaller.free();
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** The pixels keep their order, so the copy needs the same orientation. */
function withOrientation(jpeg: Uint8Array, orientation = 1): Uint8Array {
  if (orientation === 1) return jpeg;
  // An APP1 segment with one directory of one entry.
  const segment = Buffer.from(
    'ffe1002245786966000049492a0008000000010012010300010000000000000000000000',
    'hex',
  );
  segment.writeUInt16LE(orientation, 28);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}
