import { answerScenes } from './answers.ts';
import { askScenes } from './asks.ts';
import { changeScenes } from './changes.ts';
import { chapterScenes } from './chapters.ts';
import { composerScenes } from './composer.ts';
import { connectScenes } from './connect.ts';
import { crowdedScenes } from './crowded.ts';
import { listScenes } from './lists.ts';
import { pageTabScenes } from './pageTab.ts';
import type { Scene } from './scene.ts';
import { turnScenes } from './turns.ts';

/** All that the panel can look like. A new state of it gets a scene here. */
export const scenes: readonly Scene[] = [
  ...connectScenes,
  ...turnScenes,
  ...answerScenes,
  ...askScenes,
  ...changeScenes,
  ...chapterScenes,
  ...composerScenes,
  ...listScenes,
  ...crowdedScenes,
  ...pageTabScenes,
];
