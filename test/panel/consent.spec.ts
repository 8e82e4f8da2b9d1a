import { expect } from 'vitest';
import { unseenHooks } from './controlScenes.ts';
import { manyUnseen, unseen } from './customScenes.ts';
import { fold } from './journal.ts';
import { environment, pressAsItComes } from './panelPage.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

const all = [...unseenHooks, ...unseen];

test('what a workspace brings is listed by kind, with what would run and where it is named', async ({
  open,
}) => {
  const { page, intention } = await open({ state: fold(rested), environment: { unseen: all } });
  const card = page.getByRole('region', {
    name: 'This workspace wants to add 2 hooks, 2 servers, 2 commands and 1 agent',
  });
  await card.getByText('npx -y @example/database-server', { exact: false }).waitFor();
  expect(await card.locator('code').nth(2).textContent()).toContain('\\u{202E}ylno-daer--');
  await card.getByText('Programs that run with your permissions', { exact: false }).waitFor();
  await card.getByText('Runs the tests and reports which fail').waitFor();
  await card.getByRole('button', { name: '.claude/agents/tester.md' }).click();
  expect(await intention('file.open')).toEqual({ type: 'file.open', path: '.claude/agents/tester.md' });
});

test('one press decides on hooks and on everything else', async ({ open }) => {
  const { page, send, intentions } = await open({
    state: fold(rested),
    environment: { unseen: all },
  });
  const decisions = async () => (await intentions()).filter(({ type }) => type.endsWith('.decide'));
  await page.locator('.unseen .buttons:not([aria-disabled])').waitFor();
  await page.getByRole('button', { name: 'Allow' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(decisions)
    .toEqual([
      { type: 'unseen.decide', allowed: true, ids: ['hook-1', 'hook-2', ...unseen.map(({ id }) => id)] },
    ]);
  await send({ type: 'environment.changed', environment: { ...environment, unseen: unseen.slice(0, 1) } });
  await page.getByRole('region', { name: 'This workspace wants to add 1 server' }).waitFor();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect
    .poll(async () => (await decisions()).slice(1))
    .toEqual([{ type: 'unseen.decide', allowed: false, ids: [unseen[0]!.id] }]);
  await send({ type: 'environment.changed', environment });
  await expect.poll(() => page.locator('.unseen').count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('what slips onto the list right before a press is not let by it', async ({ open }) => {
  const { page, send, intentions } = await open({
    state: fold(rested),
    environment: { unseen: unseen.slice(0, 1) },
  });
  const decisions = async () => (await intentions()).filter(({ type }) => type.endsWith('.decide'));
  const buttons = page.getByRole('group', { name: 'Your decision' });
  await expect.poll(() => buttons.getAttribute('aria-disabled')).toBeNull();
  const pressed = await pressAsItComes(page, 'This workspace wants to add 2 servers', 'Allow');
  await send({ type: 'environment.changed', environment: { ...environment, unseen: unseen.slice(0, 2) } });
  await pressed();
  await expect.poll(() => buttons.getAttribute('aria-disabled')).toBeNull();
  expect(await decisions()).toEqual([]);
  // Once it could be seen, the press counts for all that is listed.
  await buttons.getByText('Allow').click();
  await expect
    .poll(decisions)
    .toEqual([{ type: 'unseen.decide', allowed: true, ids: unseen.slice(0, 2).map(({ id }) => id) }]);
});

test('a long list folds what only instructs, scrolls, and leaves room for the transcript', async ({
  open,
}) => {
  for (const width of [240, 400]) {
    const { page, close } = await open({ width, state: fold(rested), environment: { unseen: manyUnseen } });
    const card = page.locator('.unseen');
    await card.getByText('30 skills', { exact: true }).waitFor();
    expect(await card.getByText('Knows how to do number 7').isVisible()).toBe(false);
    expect(await card.getByText('npx -y', { exact: false }).isVisible()).toBe(true);
    await card.locator('summary').last().focus();
    await page.keyboard.press('Enter');
    await card.getByText('Knows how to do number 7').waitFor();
    const list = await card
      .locator('.unseen-list')
      .evaluate(each => [each.scrollHeight > each.clientHeight, each.scrollWidth > each.clientWidth]);
    expect(list).toEqual([true, false]);
    const log = await page.getByRole('log').boundingBox();
    expect(log?.height).toBeGreaterThan(150);
    await close();
  }
});
