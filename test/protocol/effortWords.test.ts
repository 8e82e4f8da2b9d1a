import { expect, test } from 'vitest';
import { type Effort, withEffort } from '../../src/extension/platform/settings.ts';
import { effortRows } from '../../src/protocol/words/effortWords.ts';

test('a user chooses among the steps that the model has, and sees which counts now', () => {
  const reported = (efforts: Readonly<Record<string, Effort>>) =>
    effortRows(['low', 'high'], 'a', efforts).map(({ label, description }) =>
      description ? `${label}: ${description}` : label,
    );
  expect(reported({})).toEqual(['Default: now', 'Low', 'High']);
  expect(reported({ a: 'high', b: 'low' })).toEqual(['Default', 'Low', 'High: now']);
  expect(reported({ '*': 'low' })).toEqual(['Same as other models: Low: now', 'Low', 'High']);
  expect(reported({ a: 'max' })).toEqual([
    'Default',
    'Low',
    'High',
    'Max: now · Folio sends the nearest level',
  ]);
});

test('a choice is kept for its model alone', () => {
  expect(withEffort({ a: 'low', '*': 'high' }, 'b', 'max')).toEqual({ a: 'low', '*': 'high', b: 'max' });
  expect(withEffort({ a: 'low', b: 'max' }, 'b', undefined)).toEqual({ a: 'low' });
});
