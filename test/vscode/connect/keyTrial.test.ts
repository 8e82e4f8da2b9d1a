import { expect, test } from 'vitest';
import { KeyTrial } from '../../../src/extension/vscode/connect/keyTrial.ts';

const { signal } = new AbortController();

/** Returns a trial whose keys are tried until the test answers. */
function startTrial() {
  const tried: string[] = [];
  let answer: (problem?: string) => void = () => undefined;
  const trial = new KeyTrial({
    of: 'the Gemini API',
    belongsElsewhere: () => true,
    tryKey: key => {
      tried.push(key);
      return new Promise(resolve => (answer = resolve));
    },
  });
  return { trial, tried, answer: (problem?: string) => answer(problem) };
}

test('Enter while a key is tried does nothing', async () => {
  const { trial, tried, answer } = startTrial();
  const first = trial.enter('wrong', signal);
  expect(await trial.enter('wrong', signal)).toBeUndefined();
  expect(trial.saveAnyway()).toBeUndefined();
  answer('Rejected.');
  expect(await first).toBeUndefined();
  expect(tried).toEqual(['wrong']);
});

test('Enter on a refused key tries it again, and only the choice to do so saves it', async () => {
  const { trial, tried, answer } = startTrial();
  const first = trial.enter('mine', signal);
  answer('Cannot reach the server.');
  await first;
  const second = trial.enter('mine', signal);
  answer('Cannot reach the server.');
  expect(await second).toBeUndefined();
  expect(tried).toEqual(['mine', 'mine']);
  expect(trial.saveAnyway()).toEqual({ kind: 'key', key: 'mine', problem: 'Cannot reach the server.' });
  const third = trial.enter('mine', signal);
  answer();
  expect(await third).toEqual({ kind: 'key', key: 'mine' });
});

test('a key of another service is not tried', async () => {
  const { trial, tried } = startTrial();
  const key = `sk-ant-${'a1'.repeat(20)}`;
  expect(await trial.enter(key, signal)).toEqual({ kind: 'misplaced', owner: 'anthropic', key });
  expect(tried).toEqual([]);
});
