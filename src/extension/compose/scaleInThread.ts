import type { ScalePicture } from '../models/media/fitMedia.ts';

/** Scales pictures down in a worker thread: a large one would block everything else for seconds. */
export const scaleInThread: ScalePicture = async (bytes, facts, goal) => {
  const { runPictureThread } = await import('../node/pictureThread.ts');
  return runPictureThread({ bytes, facts, goal });
};
