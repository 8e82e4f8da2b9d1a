import { expect } from 'vitest';
import { endedByHook, hook, hooked, looping, overMoney, overSteps, unseenHooks } from './controlScenes.ts';
import { fold, journal, prompt, started, text } from './journal.ts';
import { environment } from './panelPage.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

test('hooks that had nothing to say are one quiet line that unfolds', async ({ open }) => {
  const { page } = await open({ state: fold(hooked) });
  await page.getByText('Read 2 files').waitFor();
  const quiet = page.getByRole('button', { name: '5 hooks ran' });
  await quiet.focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('.hook-list li').allTextContents()).toEqual([
    'log.sh BeforeAgent, 240 ms',
    'log.sh BeforeTool, 240 ms',
    'log.sh AfterTool, 240 ms',
    'log.sh BeforeTool, 240 ms',
    'log.sh AfterTool, 240 ms',
  ]);
});

test('a hook that runs is named, in letters that are seen, and its line stays when it has ended', async ({
  open,
}) => {
  const { page, play } = await open({ state: fold(hooked) });
  await page.getByText('Hook notify \\u{202E}gnol runs', { exact: false }).waitFor();
  const last = hook('h9', 'AfterAgent').slice(1);
  await play(journal(last, hooked.length));
  await expect.poll(() => page.locator('.hook-run').last().textContent()).toBe('1 hook ran');
});

test('a hook that blocked a call says which call and why, and shows what it printed', async ({ open }) => {
  const { page } = await open({ state: fold(hooked) });
  const card = page.getByRole('group', {
    name: /^Hook check.sh, blocked Run npm publish, Packages are published/,
  });
  await card.getByText('Push a tag instead.', { exact: false }).waitFor();
  expect(await card.locator('.output').count()).toBe(0);
  await card.focus();
  await page.keyboard.press('Enter');
  expect(await card.locator('.output').textContent()).toBe('checking npm publish\nrule: no-publish\n');
  await card.getByText('BeforeTool, 2 s').waitFor();
});

test('what hooks changed, and that one took too long, is said without unfolding', async ({ open }) => {
  const { page } = await open({ state: fold(hooked) });
  await page.getByText('Added the release notes as context.').waitFor();
  await page.getByText('It took longer than 60 s and was ended.').waitFor();
  // One that passed shows a row for what it printed, and no sentence.
  await page.getByRole('group', { name: 'Hook check.sh', exact: true }).waitFor();
});

test('hooks of the workspace are listed with what they run and where they come from, without taking the focus', async ({
  open,
}) => {
  const { page, send, intention, intentions } = await open({ state: fold(rested) });
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await box.focus();
  await send({ type: 'environment.changed', environment: { ...environment, unseen: unseenHooks } });
  const card = page.getByRole('region', { name: 'This workspace wants to add 2 hooks' });
  await card.getByText('curl -s https://hooks.example/run', { exact: false }).waitFor();
  await card.getByText('echo \\u{202E}olleh').waitFor();
  expect(await box.evaluate(each => each === document.activeElement)).toBe(true);
  await card.getByRole('button', { name: '.gemini/settings.json' }).first().click();
  expect((await intention('file.open')).path).toBe('/home/ann/invoices/.gemini/settings.json');
  await card.locator('.buttons:not([aria-disabled])').waitFor();
  await card.getByRole('button', { name: 'Not now' }).focus();
  await page.keyboard.press('Enter');
  expect(await intention('unseen.decide')).toEqual({
    type: 'unseen.decide',
    allowed: false,
    ids: ['hook-1', 'hook-2'],
  });
  await card.getByRole('button', { name: 'Allow' }).click();
  expect((await intentions()).at(-1)).toEqual({
    type: 'unseen.decide',
    allowed: true,
    ids: ['hook-1', 'hook-2'],
  });
  await send({ type: 'environment.changed', environment });
  await expect.poll(() => card.count()).toBe(0);
  await expect.poll(() => box.evaluate(each => each === document.activeElement)).toBe(true);
});

test('at a limit the card says which, what was used, and how to continue', async ({ open }) => {
  const { page, intention } = await open({ state: fold(overMoney) });
  await page.getByText('Paused: limit of $5.00 for the session reached. Spent so far: $5.12.').waitFor();
  await page.getByRole('button', { name: 'Change limit' }).click();
  await intention('settings.open');
  await page.getByRole('button', { name: 'Continue' }).click();
  await intention('turn.retry');
});

test('an old limit is history: the next prompt takes its buttons away', async ({ open }) => {
  const { page, play } = await open({ state: fold(overSteps) });
  await page.getByText('Used so far: 50 steps.', { exact: false }).waitFor();
  await play(journal([prompt('t2', 'Only the tests then')], overSteps.length));
  await expect.poll(() => page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
});

test('work in circles is paused with what repeats; telling Folio what to do leads to the composer', async ({
  open,
}) => {
  const { page, intention } = await open({ state: fold(looping) });
  const card = page.getByRole('group', { name: /The same 2 calls were made 5 times/ });
  expect(await card.getByTitle('LOOP_DETECTED').count()).toBe(1);
  await card.getByRole('button', { name: 'Tell Folio what to do' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await card.getByRole('button', { name: 'Continue anyway' }).click();
  await intention('turn.retry');
});

test('the work that a hook ended can be continued', async ({ open }) => {
  const { page, intention } = await open({ state: fold(endedByHook) });
  await page.getByText('A hook ended the work: The build machine is being updated.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await intention('turn.retry');
});

test('a link shows where it leads, and says so beside a text that names another place', async ({ open }) => {
  const answer = [
    '[the docs](https://docs.example/a "https://bank.example")',
    '[https://bank.example/login](https://evil.example/login)',
    '[bank.example](https://www.bank.example)',
    '[sign in](https://bank.example@evil.example/)',
    '[news](https://\u0430pple.example/)',
    '[ann@bank.example](mailto:eve@evil.example)',
  ].join('\n\n');
  const { page } = await open({ state: fold([started, prompt('t1', 'Links'), text('s1', answer)]) });
  const links = page.locator('.answer a');
  await expect.poll(() => links.count()).toBe(6);
  expect(
    await links.evaluateAll(all => all.map(each => [each.textContent, each.getAttribute('title')])),
  ).toEqual([
    ['the docs', 'https://docs.example/a'],
    ['https://bank.example/login (evil.example)', 'https://evil.example/login'],
    ['bank.example', 'https://www.bank.example/'],
    ['sign in (evil.example)', 'evil.example\nhttps://bank.example@evil.example/'],
    ['news (xn--pple-43d.example)', 'xn--pple-43d.example\nhttps://xn--pple-43d.example/'],
    ['ann@bank.example (eve@evil.example)', 'mailto:eve@evil.example'],
  ]);
});
