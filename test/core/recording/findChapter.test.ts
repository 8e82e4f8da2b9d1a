import { expect, test } from 'vitest';
import { findChapter } from '../../../src/extension/core/recording/findChapter.ts';
import { called, chapter, notify, prompt, rested, said, started } from '../../support/story.ts';

const state = notify(
  started,
  prompt('Shear the flock'),
  chapter('Catching'),
  said('The ewes run.'),
  chapter('Shearing'),
  ...called({}, { display: { summary: '', touched: [{ path: 'src/fleece.ts', added: 1, removed: 0 }] } }),
  said('Žluté wool is off.'),
  rested(),
  prompt('And sell the wool', 't2'),
  chapter('Selling the wool'),
  rested('t2'),
);

test.each([
  ['EWES', 'catching'],
  ['zlute', 'shearing'],
  ['fleece.ts', 'shearing'],
  // The first of several.
  ['wool', 'shearing'],
  ['sell wool', 'shearing'],
  ['selling', 'selling-the-wool'],
  // The session is meant, or something that only its list knows.
  ['flock', undefined],
  ['goats', undefined],
])('a session that was found by “%s” opens at %s', (query, id) => {
  expect(findChapter(state, query)).toBe(id);
});
