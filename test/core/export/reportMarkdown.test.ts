import { expect, test } from 'vitest';
import { reportMarkdown } from '../../../src/extension/core/export/reportMarkdown.ts';

test('findings are texts, lists and files with what matters in them', () => {
  const report = {
    SummaryOfFindings: '# Answer\n\nIt rounds twice.',
    ExplorationTrace: ['Searched for `round`', 'Read *it*'],
    RelevantLocations: [
      { FilePath: 'src/total.ts:12', Reasoning: 'Rounds\nearly.', KeySymbols: ['total', 'a`b'] },
      { FilePath: 'src/b.ts', Reasoning: '', KeySymbols: [] },
    ],
  };
  expect(reportMarkdown(report, 2)).toBe(`**Summary of findings**

### Answer

It rounds twice.

**Exploration trace**

- Searched for \\\`round\\\`
- Read \\*it\\*

**Relevant locations**

- \`src/total.ts:12\` (\`total\`, \`\`a\`b\`\`): Rounds early.
- \`src/b.ts\``);
});

test('the only text of a report stands for itself', () => {
  expect(reportMarkdown({ result: '# Done', rest: [] }, 1)).toBe('## Done');
});

test('any other report is a list by key, as deep as can be read', () => {
  const report = {
    open_questions: ['Who?', ''],
    counts: { testsRead: 12, slow: false, deep: { a: { b: { c: { d: [1] } } } } },
    sure: true,
    parts: [{ RelevantPart: 'x' }, [1, 2]],
  };
  expect(reportMarkdown(report, 1)).toBe(`**Open questions**

- Who?

**Counts**

- Tests read: 12
- Slow: false
- Deep:
  - A:
    - B:
      - C: \`{"d":[1]}\`

**Sure**: true

**Parts**

-
  - Relevant part: x
-
  - 1
  - 2`);
});

test('what holds nothing says nothing', () => {
  expect(reportMarkdown({}, 1)).toBe('');
  expect(reportMarkdown({ a: ' ', b: [{ c: null }], d: undefined }, 1)).toBe('');
});
