import type { ScalePicture } from '../models/media/fitMedia.ts';

/** Makes smaller copies of pictures in a thread of its own: a large one would hold up everything else for seconds. */
export const scaleInThread: ScalePicture = async (bytes, facts, goal) => {
  const { runPictureThread } = await import('../node/pictureThread.ts');
  return runPictureThread({ bytes, facts, goal });
};
