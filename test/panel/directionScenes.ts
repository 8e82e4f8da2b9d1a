/* A conversation in a script that runs from right to left. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import { prompt, started, step, stepEnd, text } from './journal.ts';

const question = 'למה `npm test` נכשל?';
const answer = [
  '## סיכום',
  'הבדיקה נכשלה בגלל `computeSum(first, second)` שמחזירה מחרוזת.',
  '`src/sums.ts` הוא הקובץ.',
  'Then one paragraph in English.',
  '- פריט ראשון עם `code`\n- פריט שני\n  - מקונן',
  '1. one\n2. two',
  '> ציטוט קצר',
  '| שם | value |\n| --- | --- |\n| ערך | one |',
  '```ts\nconst name = "שלום";\n```',
].join('\n\n');

export const rightToLeft: readonly SessionEventBody[] = [
  started,
  prompt('t1', question),
  step('s1', 1),
  text('s1', answer),
  stepEnd('s1', 9_200),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];
