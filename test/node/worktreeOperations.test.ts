import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { initRepository } from '../support/gitRepository.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { WorktreePlay } from '../support/worktreePlay.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const plays = runSize({ test: 1, prove: 100 });
const steps = runSize({ test: 25, prove: 80 });

/** Git, Folio and kills act in one repository, and every byte of each working tree is compared with a model. */
describe.skipIf(!hasGit || process.platform === 'win32')('random operations around worktrees', () => {
  test(`index, stash, branches, files and what worktrees hold stay whole (seed ${seed})`, async () => {
    let kills = 0;
    for (let number = 0; number < plays; number++) {
      const [repository, folder] = [await temporaryFolder('folio-git-'), await temporaryFolder('folio-git-')];
      await initRepository(repository, {});
      const play = new WorktreePlay(repository, folder, chanceFrom(seed + number));
      try {
        await play.begin();
        // Some seeds draw no kill among the first steps.
        for (let step = 0; step < steps || (play.kills === 0 && step < 20 * steps); step++) await play.step();
        await play.end();
      } catch (cause) {
        throw new Error(`Play ${number} of seed ${seed}:\n${play.steps.join('\n')}`, { cause });
      }
      kills += play.kills;
    }
    expect(kills).toBeGreaterThan(0);
  }, 3_600_000);
});
