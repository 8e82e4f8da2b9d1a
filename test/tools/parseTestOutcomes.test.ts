import { describe, expect, test } from 'vitest';
import { parseTestOutcomes } from '../../src/extension/tools/tests/parseTestOutcomes.ts';
import { parseFailures } from '../../src/extension/vscode/ports/testFailures.ts';

const mocha = `<testsuite name="Mocha Tests" tests="3" failures="0" errors="1" skipped="1" time="0.05">
<testcase classname="sums" name="adds" file="/w/m/a.spec.js" time="0.006"><failure>2 == 3

      + expected - actual

      -2
      +3
      
AssertionError [ERR_ASSERTION]: 2 == 3
    at Context.&#x3C;anonymous&#x3E; (m/a.spec.js:3:29)
    at process.processImmediate (node:internal/timers:483:21)</failure></testcase>
<testcase classname="sums" name="takes" file="/w/m/a.spec.js" time="0"/>
<testcase classname="sums" name="later" file="/w/m/a.spec.js" time="0"><skipped/></testcase>
</testsuite>`;

const jest = JSON.stringify({
  numFailedTests: 1,
  testResults: [
    {
      name: '/w/t/a.test.js',
      status: 'failed',
      message: '',
      assertionResults: [
        {
          fullName: 'sums adds',
          status: 'failed',
          failureMessages: [
            'Error: \u001b[2mexpect(\u001b[22mreceived).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2\n    at Object.toBe (/w/node_modules/expect/a.js:1:1)\n    at Object.<anonymous> (/w/t/a.test.js:2:36)',
          ],
        },
        { fullName: 'sums takes', status: 'passed', failureMessages: [] },
        { fullName: 'sums later', status: 'pending', failureMessages: [] },
      ],
    },
    { name: '/w/t/b.test.js', status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ],
});

describe('a report', () => {
  test('of mocha tells names with their suites, messages without the way there, and places', async () => {
    const outcomes = await parseTestOutcomes('junit', mocha);
    expect(outcomes?.map(({ name, result, place }) => ({ name, result, place }))).toEqual([
      { name: 'sums > adds', result: 'failed', place: { path: 'm/a.spec.js', line: 3 } },
      { name: 'sums > takes', result: 'passed', place: undefined },
      { name: 'sums > later', result: 'skipped', place: undefined },
    ]);
    expect(outcomes?.[0]?.message).toMatch(/^2 == 3[\s\S]*\+3/);
    expect(outcomes?.[0]?.message).not.toContain('processImmediate');
  });

  test('of jest tells what was expected and received, and a file that cannot be loaded as a failure', async () => {
    expect(await parseTestOutcomes('jest', jest)).toEqual([
      {
        name: 'sums adds',
        result: 'failed',
        message: 'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2',
        place: { path: '/w/t/a.test.js', line: 2 },
      },
      { name: 'sums takes', result: 'passed' },
      { name: 'sums later', result: 'skipped' },
      {
        name: '/w/t/b.test.js',
        result: 'failed',
        message: 'Cannot find module',
        place: { path: '/w/t/b.test.js' },
      },
    ]);
  });

  test.each([
    ['junit', mocha.slice(0, 400)],
    ['junit', '<testsuites><testsuite name="a"><testcase name="b"/></testsuite>'],
    ['junit', 'no report'],
    ['junit', ''],
    ['jest', jest.slice(0, 200)],
    ['jest', '{"testResults": 3}'],
  ] as const)('in %s that is cut or none is not read: %s', async (format, text) => {
    expect(await parseTestOutcomes(format, text)).toBeUndefined();
  });
});

test('failures that VS Code tells are read with what was expected, and where', () => {
  const reported = `<summary passed=1 failed=2 />
<testFailure name="adds" path="sums > inner">
<expectedOutput>
3
</expectedOutput>
<actualOutput>
2
</actualOutput>
<location path="/w/a.js" line="4" col="1" />
</testFailure>
<testFailure name="says \\"no\\"" path="">
<message>
It broke
</message>
<stackFrame path="/w/b.js" line="9" col="2" />
</testFailure>
`;
  expect(parseFailures(reported)).toEqual([
    { id: 'sums\0inner\0adds', message: 'Expected: 3\nReceived: 2', place: { path: '/w/a.js', line: 4 } },
    { id: 'says "no"', message: 'It broke', place: { path: '/w/b.js', line: 9 } },
  ]);
});
