import { expect } from 'vitest';
import {
  answered,
  askingPlan,
  askingQuestions,
  decidedBefore,
  planPath,
  questions,
  skipped,
} from './askScenes.ts';
import { fold, journal } from './journal.ts';
import { test } from './suite.ts';

const sendButton = '.ask vscode-button[data-action=accept]';

test('a form is filled and sent with the keyboard alone', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingQuestions()) });
  await page.getByRole('radio', { name: /Once, on the sum/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Totals are rounded once.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await intention('call.decide')).toEqual({
    type: 'call.decide',
    callId: 'asked',
    askId: 'ask-1',
    decision: {
      kind: 'answers',
      answers: [['On each line'], ['Euro', 'Dinar'], ['Totals are rounded once.'], ['No']],
    },
  });
});

test('Enter in a form that is not complete goes to the first question that waits', async ({ open }) => {
  const { page, intentions } = await open({ state: fold(askingQuestions()) });
  const text = page.getByRole('textbox', { name: 'What is the changelog entry?' });
  await text.focus();
  await page.keyboard.type('Totals');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('fieldset')?.textContent))
    .toMatch(/^RoundingWhere should/);
  expect(await text.inputValue()).toBe('Totals');
  expect((await intentions()).map(each => each.type)).not.toContain('call.decide');
});

test('Send waits until every question has an answer', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingQuestions(questions.slice(0, 1))) });
  await page.getByText('Folio asks', { exact: true }).waitFor();
  const isDisabled = () => page.locator(sendButton).evaluate(each => each.hasAttribute('disabled'));
  await expect.poll(isDisabled).toBe(true);
  await page.getByRole('radio', { name: 'Other…' }).check();
  await expect.poll(isDisabled).toBe(true);
  await page.getByRole('textbox', { name: /^Other answer/ }).fill('  By a setting ');
  await expect.poll(isDisabled).toBe(false);
  await page.locator(sendButton).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'answers', answers: [['By a setting']] });
});

test('what may stay empty holds nothing up', async ({ open }) => {
  const given = questions
    .slice(0, 2)
    .map((question, at) => (at === 0 ? { ...question, optional: true } : question));
  const { page, intention } = await open({ state: fold(askingQuestions(given)) });
  await page.getByRole('checkbox').first().check();
  await page.locator(sendButton).click();
  const { decision } = await intention('call.decide');
  expect(decision.kind === 'answers' && decision.answers.map(({ length }) => length)).toEqual([0, 1]);
});

test('own words go with the options that were taken, and count no more when they are left', async ({
  open,
}) => {
  const { page, intention } = await open({ state: fold(askingQuestions(questions.slice(1, 2))) });
  await page.getByRole('checkbox', { name: 'Yen' }).check();
  await page.getByRole('checkbox', { name: 'Other…' }).check();
  await page.getByRole('textbox', { name: /^Other answer/ }).fill('Franc');
  await page.getByRole('checkbox', { name: 'Euro' }).check();
  await page.locator(sendButton).click();
  expect((await intention('call.decide')).decision).toEqual({
    kind: 'answers',
    answers: [['Euro', 'Yen', 'Franc']],
  });
  await page.getByRole('checkbox', { name: 'Yen' }).check();
  await page.getByRole('checkbox', { name: 'Other…' }).check();
  await page.getByRole('textbox', { name: /^Other answer/ }).fill('Franc');
  await page.getByRole('checkbox', { name: 'Other…' }).uncheck();
  await page.locator(sendButton).click();
  await expect
    .poll(async () => (await intention('call.decide')).decision)
    .toEqual({ kind: 'answers', answers: [['Yen']] });
});

test('what was put in survives other pages, new snapshots and a page that was hidden', async ({ open }) => {
  const state = fold(askingQuestions());
  const { page, send, show, memory } = await open({ state });
  await page.getByRole('radio', { name: /On each line/ }).check();
  await page.getByRole('textbox', { name: 'What is the changelog entry?' }).fill('Totals');
  await send({ type: 'view.shown', view: 'history' });
  await show({ ...state, sessionId: 'other' });
  await show(state);
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await send({ type: 'view.shown', view: 'transcript' });
  expect(await page.getByRole('radio', { name: /On each line/ }).isChecked()).toBe(true);
  await expect.poll(async () => JSON.stringify(await memory())).toContain('Totals');

  const later = await open({ state, memory: await memory() });
  await expect
    .poll(() => later.page.getByRole('textbox', { name: 'What is the changelog entry?' }).inputValue())
    .toBe('Totals');
  expect(await later.page.getByRole('radio', { name: /On each line/ }).isChecked()).toBe(true);
});

test('the next form of the same call begins empty', async ({ open }) => {
  const first = askingQuestions();
  const { page, play } = await open({ state: fold(first) });
  const entry = page.getByRole('textbox', { name: 'What is the changelog entry?' });
  await entry.fill('For the first form');
  const last = first.at(-1)!;
  if (last.type !== 'call.asked') throw new Error('The scene asks nothing.');
  await play(
    journal(
      [
        { type: 'call.started', callId: 'asked' },
        { ...last, ask: { ...last.ask, id: 'ask-2' } },
      ],
      first.length,
    ),
  );
  await expect.poll(() => entry.inputValue()).toBe('');
});

test('Escape in a form leaves the field, the next one warns, and the third stops the agent', async ({
  open,
}) => {
  const { page, intention, intentions } = await open({ state: fold(askingQuestions()) });
  await page.getByRole('textbox', { name: 'What is the changelog entry?' }).focus();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-ask')))
    .toBe('asked');
  expect((await intentions()).map(each => each.type)).not.toContain('turn.stop');
  await page.keyboard.press('Escape');
  await page.getByText(/Escape again stops/).waitFor();
  await page.keyboard.press('Escape');
  await intention('turn.stop');
});

test('a form is skipped with a reason', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingQuestions()) });
  await page.getByText('Skip…').click();
  await page.keyboard.type('Ask Bea');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({ kind: 'deny', reason: 'Ask Bea' });
});

test('an answered form shows its questions with their answers, and a skipped one says so', async ({
  open,
}) => {
  const sent = await open({ state: fold(answered) });
  await sent.page.getByText('→ Once, on the sum').waitFor();
  const left = await open({ state: fold(skipped) });
  await left.page.getByText('Skipped', { exact: true }).waitFor();
  expect(await left.page.getByText(/^Denied/).count()).toBe(0);
});

test('a plan is read, opened and approved in one of two modes', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingPlan) });
  await page.getByRole('region', { name: 'Plan' }).getByRole('heading', { name: 'Round once' }).waitFor();
  await page.getByText('You can edit the plan in the editor').waitFor();
  await page.getByRole('button', { name: 'Open in editor' }).click();
  expect(await intention('plan.open')).toEqual({ type: 'plan.open' });
  await page.getByRole('button', { name: 'Approve, ask each time' }).waitFor();
  await page.getByRole('button', { name: 'Ways to approve' }).click();
  await page.getByRole('menuitem', { name: 'Approve, and edit without asking' }).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'plan', mode: 'autoEdit' });
});

test('a title is read on two lines in a narrow panel', async ({ open }) => {
  const title = 'Plan: Round only the sum';
  const named = JSON.stringify(askingPlan).replaceAll('Plan: Round once', title);
  const { page } = await open({ state: fold(JSON.parse(named)), width: 292 });
  const words = page.locator('.ask-title').getByText(title);
  await words.waitFor();
  expect(
    await words.evaluate(each => [
      each.scrollWidth > each.clientWidth,
      each.scrollHeight > each.clientHeight,
    ]),
  ).toEqual([false, false]);
});

test('an approved plan and answers stay in view when the next chapter folds theirs', async ({ open }) => {
  const { page } = await open({ state: fold(decidedBefore.plan) });
  const plan = page.getByRole('button', { name: 'Plan: Round once' });
  await plan.waitFor();
  expect(await page.getByText('Read 2 files').count()).toBe(0);
  await plan.click();
  await page.getByText('1. Round the sum').waitFor();
  const { page: other } = await open({ state: fold(decidedBefore.answers) });
  await other.getByText('→ Once, on the sum').waitFor();
});

test('the card of a plan shows what the user has made of it, and nothing of another plan', async ({
  open,
}) => {
  const { page, send } = await open({ state: fold(askingPlan) });
  const plan = page.getByRole('region', { name: 'Plan' });
  await plan.getByText('Round the sum').waitFor();
  await send({ type: 'plan.told', path: '/elsewhere/1-other.md', text: 'Another plan' });
  await send({ type: 'plan.told', path: planPath, text: '# Round once\n\nKeep the cents' });
  await plan.getByText('Keep the cents').waitFor();
  expect(await plan.textContent()).not.toContain('Round the sum');
  await send({ type: 'plan.told', path: '/elsewhere/1-other.md', text: 'Another plan' });
  await expect.poll(() => plan.textContent()).not.toContain('Another plan');
});

test('a plan is approved by the key that accepts, and edits are asked about then', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingPlan) });
  await page.getByRole('log').focus();
  await page.keyboard.press('k');
  await page.keyboard.press('a');
  expect((await intention('call.decide')).decision).toEqual({ kind: 'plan', mode: 'default' });
});

test('a plan is sent back with remarks of several lines', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingPlan) });
  await page.getByText('Send back…').click();
  await page.getByRole('textbox', { name: 'Remarks, optional' }).waitFor();
  await page.keyboard.type('Leave the tax alone.');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('Add a test.');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({
    kind: 'deny',
    reason: 'Leave the tax alone.\nAdd a test.',
  });
});
