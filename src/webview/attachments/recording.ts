/* Extracts frames of a screen recording, since most models read pictures but no videos. */

import { t } from '../../protocol/language.ts';
import { drawRegion, fitSize } from './drawPicture.ts';
import type { PictureAttachment } from './pictureData.ts';

const longestSeconds = 60;
const mostFrames = 8;
const framesPerSecond = 2;
const longestSide = 1280;

/** Never rejects. Refuses files that the browser cannot play. */
export async function readRecording(file: File, name: string) {
  const film = document.createElement('video');
  film.muted = true;
  film.preload = 'auto';
  film.src = URL.createObjectURL(file);
  try {
    await whenNext(film, 'loadeddata');
    const seconds = await durationOf(film);
    if (seconds > longestSeconds) {
      const sentence = t(
        '{0} was not attached. It is longer than a minute: record the part that matters.',
        name,
      );
      return { attachments: [], sentence };
    }
    const attachments: PictureAttachment[] = [];
    for (const time of frameTimes(seconds)) attachments.push(await readFrame(film, time, name));
    return { attachments, sentence: t('The model gets {0} pictures of {1}.', attachments.length, name) };
  } catch {
    const sentence = t('{0} was not attached. It cannot be played here: use a WebM or MP4 file.', name);
    return { attachments: [], sentence };
  } finally {
    URL.revokeObjectURL(film.src);
    film.removeAttribute('src');
  }
}

/** Returns evenly spaced times, including the first and last frame. */
function frameTimes(seconds: number): readonly number[] {
  const count = Math.min(mostFrames, Math.max(2, Math.ceil(seconds * framesPerSecond)));
  // The very end has no frame.
  const last = Math.max(0, seconds - 0.05);
  return Array.from({ length: count }, (_, at) => (last * at) / (count - 1));
}

/** Live recordings have no duration in their header, so this seeks to the end. */
async function durationOf(film: HTMLVideoElement): Promise<number> {
  if (film.duration === Number.POSITIVE_INFINITY) await seek(film, Number.MAX_SAFE_INTEGER);
  return film.duration;
}

async function readFrame(film: HTMLVideoElement, time: number, name: string): Promise<PictureAttachment> {
  await seek(film, time);
  const whole = { x: 0, y: 0, width: film.videoWidth, height: film.videoHeight };
  const blob = await drawRegion(film, whole, fitSize(whole, longestSide), 'image/jpeg');
  return { kind: 'image', name: `${name} ${clock(time)}`, blob };
}

/** Returns for example `0:07.5`. */
function clock(time: number): string {
  const seconds = (time % 60).toFixed(1).padStart(4, '0');
  return `${Math.floor(time / 60)}:${seconds}`;
}

async function seek(film: HTMLVideoElement, time: number): Promise<void> {
  const sought = whenNext(film, 'seeked');
  film.currentTime = time;
  await sought;
}

/** Rejects on a media error. */
function whenNext(film: HTMLVideoElement, event: string): Promise<void> {
  const ends = new AbortController();
  return new Promise<void>((resolve, reject) => {
    film.addEventListener(event, () => resolve(), { signal: ends.signal });
    film.addEventListener('error', () => reject(film.error ?? new Error('It cannot be played.')), ends);
  }).finally(() => ends.abort());
}
