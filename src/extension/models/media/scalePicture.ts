import type { ScalePicture } from './fitMedia.ts';

export const scalePicture: ScalePicture = async () => undefined;
