import { expect } from 'vitest';
import { permissions } from './askScenes.ts';
import { fold } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

async function openList(open: (options?: PanelOptions) => Promise<PanelPage>, list = permissions) {
  const panel = await open({ state: fold(rested) });
  await panel.send({ type: 'view.shown', view: 'permissions' });
  await panel.intention('permissions.list');
  await panel.page.getByText('Reading the rules…').waitFor();
  await panel.send({ type: 'permissions.listed', permissions: list });
  await panel.page.getByText('Reading the rules…').waitFor({ state: 'detached' });
  return panel;
}

test('rules stand in the order in which they are asked, by where they come from', async ({ open }) => {
  const { page } = await openList(open);
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['Set by an administrator', 'In this session', 'In this workspace', "Folio's defaults"]);
  const rows = page.locator('details[open] .permission');
  await expect.poll(() => rows.count()).toBe(4);
  expect(await rows.nth(0).textContent()).toContain('Deny Commands that start with curl');
  expect(await rows.nth(3).textContent()).toContain('only in Auto-edit, Allow all');
});

test('a page without rules of the user says how to add one', async ({ open }) => {
  const { page, intention } = await openList(
    open,
    permissions.filter(({ tier }) => tier === 'default'),
  );
  await page.getByText('You have no rules yet.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Add rule…' }).click();
  await intention('permission.add');
  await page.locator('.search-field input').fill('folio');
  await expect.poll(() => page.getByText('You have no rules yet.', { exact: false }).count()).toBe(0);
});

test('the defaults are unfolded by key, and a filter finds them folded', async ({ open }) => {
  const { page } = await openList(open);
  await page.locator('summary').last().focus();
  await page.keyboard.press('Enter');
  await page.getByText('Reading files of the workspace').waitFor();
  await page.keyboard.press('Enter');
  const field = page.locator('.search-field input');
  await field.fill('folio reading');
  await expect.poll(() => page.locator('details[open] .permission').count()).toBe(1);
  await field.fill('nothing at all');
  await page.getByText('No permission matches “nothing at all”.').waitFor();
});

test('a rule opens where it stands', async ({ open }) => {
  const { page, intention } = await openList(open);
  await page.getByRole('button', { name: '.gemini/policies/team.toml, line 12' }).click();
  expect(await intention('file.open')).toEqual({
    type: 'file.open',
    path: '/home/ann/invoices/.gemini/policies/team.toml',
    line: 12,
  });
});

test('the arrows walk the rules, Enter opens one and Delete removes one after a question', async ({
  open,
}) => {
  const { page, intention, intentions, send } = await openList(open);
  await page.locator('.search-field input').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await intention('file.open')).toMatchObject({ path: '/etc/folio/policies/company.toml', line: 4 });
  // Not Folio's to remove.
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Delete');
  await page.getByText('Remove this rule?').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByText('Remove this rule?').count()).toBe(0);
  expect((await intentions()).map(each => each.type)).not.toContain('permission.remove');
  await page.keyboard.press('Delete');
  await page.getByText('Remove this rule?').waitFor();
  await page.keyboard.press('Enter');
  expect(await intention('permission.remove')).toEqual({ type: 'permission.remove', id: 'p2' });
  await send({ type: 'permissions.listed', permissions: permissions.filter(({ id }) => id !== 'p2') });
  await expect.poll(() => page.getByText('Commands that start with npm test').count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Edits of src/invoice.ts');
});

test('a rule that goes automatically gives its focus to what stands in its place', async ({ open }) => {
  const { page, send } = await openList(open);
  const rows = page.locator('details[open] .permission');
  const without = async (...gone: string[]) => {
    const left = permissions.filter(({ id }) => !gone.includes(id));
    await send({ type: 'permissions.listed', permissions: left });
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await rows.nth(1).focus();
  await without('p2');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await focused()).toContain('Edits of src/invoice.ts');
  await without('p2', 'p3');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await focused()).toBe(await rows.nth(1).textContent());
  await without(...permissions.map(({ id }) => id));
  await page.getByText('There are no rules.').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Permissions');
});

test('only what Folio wrote can be removed, and its button says what goes', async ({ open }) => {
  const { page, intention } = await openList(open);
  await expect.poll(() => page.getByRole('button', { name: /^Remove:/ }).count()).toBe(2);
  await page.getByRole('button', { name: 'Remove: Allow Edits of src/invoice.ts' }).click();
  await page.locator('.permission-confirm').getByText('Remove', { exact: true }).click();
  expect(await intention('permission.remove')).toEqual({ type: 'permission.remove', id: 'p3' });
});

test('a folder without rules says what that means', async ({ open }) => {
  const { page } = await openList(open, []);
  await page.getByText('There are no rules. Folio asks before each change and each command.').waitFor();
});

test('Escape and the button lead back to the session', async ({ open }) => {
  const { page, send } = await openList(open);
  await page.locator('.permission').first().focus();
  await page.keyboard.press('Escape');
  await page.getByRole('log').waitFor();
  await send({ type: 'view.shown', view: 'permissions' });
  await page.getByRole('button', { name: 'Back to the session' }).click();
  await page.getByRole('log').waitFor();
});
