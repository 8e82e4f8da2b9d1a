/* Texts of the rehearsal. Texts about an event are derived from it. */

import { formatQuantity, oneLine } from '../base/text.ts';
import type { TestReport } from './testReport.ts';

export const remark =
  '_This is the rehearsal: a fixed script instead of a model. Its tools really run; its token counts are estimates. For a real model, run "Folio: Connect a Model"._';

export const withoutTools = `The rehearsal plays one script with Folio's tools and can do nothing else.\n\n${remark}`;

export const unrelated = `I only play one scene: finding and fixing the failing test of the sample project. Ask "Fix the failing test" there to see it.\n\n${remark}`;

export const played = `The scene is over: the bug is fixed and the tests ran. To see it again, undo the change in \`src/invoice.js\` and start a new session.\n\n${remark}`;

export const notTheSample = `This folder is not the sample project, and the script knows no other. Nothing was changed.\n\n${remark}`;

export const thoughtOfListing = '**Finding my way**\n\nI first want to see what the project consists of.';
export const thoughtOfReading =
  '**Reading first**\n\nThe sum is made in the invoice code; its tests say what is expected.';
export const reading = 'A small project. I read the invoice code and its tests.';
export const readingSummary =
  'The total of an invoice is added up in src/invoice.js, with helpers in src/money.js; the tests cover lines, totals and formatting.';

export const thoughtOfPlanning =
  '**Planning**\n\nPlan mode is on, so I change nothing. What has to be done is plain from the code.';
export const planning =
  'I have read enough. Here is the plan: read it, change it, approve it or send it back.';
export const planningAgain = 'I have worked your remarks in.';
export const planTitle = 'Round the tax of an invoice once';

export function planText(remark: string | undefined): string {
  const taken = remark ? `\n## Your remarks\n\n> ${oneLine(remark, 500)}\n` : '';
  return `**Goal:** \`invoiceTotal\` adds the tax up exactly and rounds it once, so that no cent is lost.

1. Run \`npm test\` to see the failure.
2. In \`src/invoice.js\`, add net and tax up apart from each other and round the tax at the end.
3. Run \`npm test\` again: all tests pass.

**Risk:** totals change by a cent where lines were rounded one by one. That is the point.
${taken}`;
}

export function planSentBack(reason: string): string {
  return `The plan was not approved, and I know no other. Nothing was changed.\n\n${quote(reason)}\n\n${remark}`;
}

export const thoughtOfReproducing =
  '**Seeing it fail**\n\nThe total rounds the tax of each line. Before I change that, I want to see the failure itself.';
export const reproducing =
  '`invoiceTotal` rounds the tax of every line before it adds up. I run the tests to see whether that is what fails.';

export const instruction = 'Add the tax up exactly and round it once at the end.';
export const thoughtOfFixing =
  '**The cause**\n\nThree lines of 3.33 at seven percent owe 0.6993 tax together, so 0.70. Rounded by line it is three times 0.23, so 0.69: the missing cent.';

export const fixedSummary = 'invoiceTotal in src/invoice.js now adds the tax up exactly and rounds it once.';
export const thoughtOfChecking =
  '**Checking**\n\nThe edit is in. Only the tests can tell whether it was right.';
export const checking = 'The change is made. I run the tests again.';

export function fixing(report: TestReport | undefined): string {
  const name = report?.firstFailure ? `“${report.firstFailure}” fails` : 'A test fails';
  return `${name}: rounding line by line loses fractions of a cent. The tax has to be added up first and rounded once.`;
}

export function reproducedSummary(report: TestReport | undefined): string {
  return report ? `The tests ran: ${countsOf(report)}.` : 'The tests ran and failed.';
}

export function toolIsMissing(tool: string): string {
  return `The scene ends here: the next step needs \`${tool}\`, which this session does not offer.\n\n${remark}`;
}

export function gaveUp(what: string, reason: string): string {
  return `${didNot(what, reason)} Nothing was changed, so I stop here.\n\n${quote(reason)}\n\n${remark}`;
}

export function testsDidNotRun(output: string): string {
  const why =
    'The command ran, but its output holds no test results. Check that Node.js and npm are installed.';
  return `${why} Nothing was changed.\n\n${quote(output)}\n\n${remark}`;
}

export function nothingToFix(report: TestReport): string {
  return `There is nothing to fix: ${countsOf(report)}. To see the scene, undo the change in \`src/invoice.js\` first.\n\n${remark}`;
}

export function unknownCode(report: TestReport | undefined): string {
  const state = report ? ` The tests: ${countsOf(report)}.` : '';
  return `\`src/invoice.js\` is not what the script knows, so it cannot fix it.${state} Nothing was changed.\n\n${remark}`;
}

export function notFixed(reason: string, report: TestReport | undefined): string {
  const state = report ? ` The tests stand as they were: ${countsOf(report)}.` : '';
  return `${didNot('change `src/invoice.js`', reason)}${state}\n\n${quote(reason)}\n\nThe file is unchanged, so I stop here.\n\n${remark}`;
}

export function notChecked(reason: string): string {
  const what = 'The change in `src/invoice.js` is made, but it is not checked: the tests did not run again.';
  return `${what}\n\n${quote(reason)}\n\n${remark}`;
}

export function conclusion(before: TestReport | undefined, after: TestReport): string {
  const was = before ? `before it was ${countsOf(before)}` : 'before, a test failed';
  if (after.failed > 0) {
    return `The change in \`src/invoice.js\` is made, but the tests still fail: ${countsOf(after)}; ${was}. The script goes no further.\n\n${remark}`;
  }
  return `The total is right now.

- **Cause:** \`invoiceTotal\` rounded the tax of each line, and the fractions of a cent were lost.
- **Change:** in \`src/invoice.js\` the tax is added up exactly and rounded once.
- **Checked:** \`npm test\`: ${countsOf(after)}; ${was}.

\`\`\`js
return net + roundCents(tax);
\`\`\`

${remark}`;
}

function countsOf({ passed, failed }: TestReport): string {
  return `${formatQuantity(passed, 'test')} passed, ${failed} failed`;
}

function didNot(what: string, reason: string): string {
  return /\bdenied\b|needs approval|restricted|only reading/i.test(reason)
    ? `I was not allowed to ${what}.`
    : `I could not ${what}.`;
}

/** Quotes a result without the advice in it, which is meant for a model. */
function quote(text: string): string {
  const [reason = ''] = text.split(/They gave no reason: |\[Active Topic: /);
  return `> ${oneLine(reason, 300) || 'No reason was given.'}`;
}
