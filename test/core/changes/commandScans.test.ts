import { expect, test } from 'vitest';
import { CommandScans } from '../../../src/extension/core/changes/commandScans.ts';
import type { ConcurrencyWatch } from '../../../src/extension/core/changes/concurrentRuns.ts';
import { CommandWatch } from '../../../src/extension/core/changes/runningChanges.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const alone: ConcurrencyWatch = {
  concurrency: () => 'alone',
  isSecond: () => false,
  isLasting: () => true,
  last() {},
  end: async () => {},
};

test.each(['close', 'scanNow'] as const)(
  '%s waits for the last look at a command that has just ended',
  async way => {
    const steps: string[] = [];
    let find = () => {};
    const found = new Promise<void>(resolve => {
      find = resolve;
    });
    const scan = async () => {
      steps.push('looks');
      await found;
      steps.push('has looked');
      return { reported: [] };
    };
    const scans = new CommandScans(new SystemClock(), log);
    const watch = new CommandWatch(alone, scan, false);
    scans.goOn(
      watch,
      Promise.resolve(),
      () => steps.push('stops'),
      () => steps.push('tells'),
    );
    await expect.poll(() => steps).toEqual(['stops', 'looks']);
    const waiting = scans[way]().then(() => steps.push('waited'));
    find();
    await waiting;
    expect(steps).toEqual(['stops', 'looks', 'has looked', 'tells', 'waited']);
  },
);
