import { expect, test } from 'vitest';
import { parseTestReport } from '../../src/extension/rehearsal/testReport.ts';

test('counts and the first failure are read from both formats of the test runner', () => {
  const spec = '✔ one (0.5ms)\n✖ two is three (1.25ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n';
  const tap = 'TAP version 13\nok 1 - one\nnot ok 2 - two is three\n# tests 2\n# pass 1\n# fail 1\n';
  const report = { passed: 1, failed: 1, firstFailure: 'two is three' };
  expect([parseTestReport(spec), parseTestReport(tap)]).toEqual([report, report]);
});

test('output without counts is no report', () => {
  expect(parseTestReport('npm: command not found\nExit code: 127')).toBeUndefined();
});
