import { expect, test } from 'vitest';
import type { Beside } from '../../../src/extension/core/changes/bystanders.ts';
import { CommandLooks } from '../../../src/extension/core/changes/commandLooks.ts';
import { CommandWatch } from '../../../src/extension/core/changes/runningChanges.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const alone: Beside = {
  company: () => 'alone',
  isSecond: () => false,
  isLasting: () => true,
  last() {},
  end: async () => {},
};

test.each(['close', 'lookNow'] as const)(
  '%s waits for the last look at a command that has just ended',
  async way => {
    const steps: string[] = [];
    let find = () => {};
    const found = new Promise<void>(resolve => {
      find = resolve;
    });
    const look = async () => {
      steps.push('looks');
      await found;
      steps.push('has looked');
      return { told: [] };
    };
    const looks = new CommandLooks(new SystemClock(), log);
    const watch = new CommandWatch(alone, look, false);
    looks.goOn(
      watch,
      Promise.resolve(),
      () => steps.push('stops'),
      () => steps.push('tells'),
    );
    await expect.poll(() => steps).toEqual(['stops', 'looks']);
    const waiting = looks[way]().then(() => steps.push('waited'));
    find();
    await waiting;
    expect(steps).toEqual(['stops', 'looks', 'has looked', 'tells', 'waited']);
  },
);
