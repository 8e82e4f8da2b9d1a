/* The worker thread that scales down one picture. It ends afterwards, which frees its memory. */

import { parentPort, workerData } from 'node:worker_threads';
import type { ScaleGoal } from './models/media/fitMedia.ts';
import type { PictureFacts } from './models/media/readPictureFacts.ts';
import { pictureScaler } from './models/media/scalePicture.ts';
import { readGrammar } from './node/grammarFiles.ts';

interface ScaleTask {
  readonly bytes: Uint8Array;
  readonly facts: PictureFacts;
  readonly goal: ScaleGoal;
}

const { bytes, facts, goal } = workerData as ScaleTask;
const scale = pictureScaler(() => readGrammar('photon.wasm', '@cf-wasm/photon/photon.wasm'));
parentPort?.postMessage(await scale(Buffer.from(bytes), facts, goal));
