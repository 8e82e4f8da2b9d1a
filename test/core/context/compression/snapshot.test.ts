import { expect, it } from 'vitest';
import {
  findSnapshot,
  requireSnapshot,
} from '../../../../src/extension/core/context/compression/snapshot.ts';
import { snapshotOf } from '../../../support/wireWorld.ts';

it.each([
  ['nothing', ''],
  ['no element', 'overall_goal: go'],
  ['one that is not closed', '<state_snapshot><overall_goal>Go</overall_goal>'],
  ['one that is not opened', '<overall_goal>Go</overall_goal></state_snapshot>'],
  ['one without a goal', '<state_snapshot><task_state>x</task_state></state_snapshot>'],
  ['one with an empty goal', '<state_snapshot><overall_goal> \n</overall_goal></state_snapshot>'],
  ['one whose goal is a comment', '<state_snapshot><overall_goal><!-- x --></overall_goal></state_snapshot>'],
  ['only a half one after a broken one', '</state_snapshot><state_snapshot><overall_goal>Go'],
])('%s is no snapshot', (_, answer) => {
  expect(findSnapshot(answer)).toBeUndefined();
  expect(() => requireSnapshot(answer)).toThrow(/^The summary/);
});

it('the newest whole snapshot counts, without the reasoning around it', () => {
  const answer = `<scratchpad>${snapshotOf('draft')}</scratchpad>\n${snapshotOf('last')}\nThat is it. <state_snapshot>`;
  expect(findSnapshot(answer)).toBe(snapshotOf('last'));
});

it('what a snapshot quotes cannot close it', () => {
  const quoting = snapshotOf('The file says </state_snapshot> and <state_snapshot> again.');
  const found = findSnapshot(quoting)!;
  expect(found.match(/<\/?state_snapshot>/g)).toHaveLength(2);
  expect(found).toContain('‹/state_snapshot> and ‹state_snapshot> again');
  expect(requireSnapshot(found)).toBe(found);
});
