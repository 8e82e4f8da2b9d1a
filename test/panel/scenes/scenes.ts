import { runSize, seed } from '../../support/runSize.ts';
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

/**
 * The seed says which third of the scenes a run checks, and which other third in another language; the proof checks
 * all. Four adjacent entries, one for each theme, are in the same third.
 */
export function isInShare(index: number, share: 'own' | 'translated'): boolean {
  const shares = runSize({ test: 3, prove: 1 });
  const turn = seed + (share === 'own' ? 0 : 1);
  return Math.floor(index / 4) % shares === turn % shares;
}
