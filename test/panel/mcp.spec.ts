import { expect } from 'vitest';
import type { McpServer } from '../../src/protocol/panel/mcp.ts';
import { manyServers, servers } from './customScenes.ts';
import { fold } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { rested } from './scenario.ts';
import { test } from './suite.ts';

async function openList(open: (options?: PanelOptions) => Promise<PanelPage>, list: readonly McpServer[]) {
  const panel = await open({ state: fold(rested) });
  await panel.send({ type: 'view.shown', view: 'mcp' });
  await panel.intention('mcp.list');
  await panel.page.getByText('Asking for the servers…').waitFor();
  await panel.send({ type: 'mcp.listed', servers: list });
  await panel.page.getByText('Asking for the servers…').waitFor({ state: 'detached' });
  return panel;
}

const now = () => Date.now();

test('each server says its state in words, and why where it does not work', async ({ open }) => {
  const { page } = await openList(open, servers(now()));
  await expect.poll(() => page.locator('.mcp-server').count()).toBe(7);
  const states = await page.locator('.mcp-state').allTextContents();
  expect(states.with(2, '')).toEqual([
    '2 of 3 tools',
    'Needs sign-in',
    '',
    'Failed',
    'Waiting for you',
    'Disabled',
    'Starting',
  ]);
  expect(states[2]).toMatch(/^Starts again in \d+ s$/);
  await page.getByText('cannot find module "left-pad"', { exact: false }).waitFor();
  await page.getByText('search.example does not answer. Check the address, then restart it.').waitFor();
  // It counts down while the agent rests.
  await expect.poll(() => page.locator('.mcp-state').nth(2).textContent()).not.toBe(states[2]);
});

test('another server can be added beside those that are there', async ({ open }) => {
  const { page, intention } = await openList(open, servers(now()));
  await page.getByText('Add server…').click();
  expect(await intention('mcp.add')).toEqual({ type: 'mcp.add' });
});

test('after the first server was added, what is typed filters the list', async ({ open }) => {
  const { page, send } = await openList(open, []);
  await page.getByText('Add server…').click();
  // The fields that ask for it stand in VS Code's window, which has the focus then.
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await send({ type: 'mcp.listed', servers: servers(now()) });
  const filter = page.getByRole('textbox', { name: 'Filter servers and tools' });
  await filter.waitFor();
  await page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
  await page.keyboard.type('x');
  await expect.poll(() => filter.inputValue()).toBe('x');
});

test('a server unfolds into its tools, as plain text of which nothing is hidden', async ({ open }) => {
  const { page, intention } = await openList(open, servers(now()));
  const row = page.locator('.mcp-server').first();
  await page.locator('.search-field input').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await row.getByText('Also 2 prompts and 14 resources.').waitFor();
  await row.getByText('Yours, program').waitFor();
  await row.getByText('Last log line: Serving /home/ann/notes').waitFor();
  expect(await row.locator('.mcp-tools li').allTextContents()).toEqual([
    'read_text · declared read-onlyReads a text file',
    'write_textWrites a text file. Replaces what stood there.',
    'wipe \\u{202E}dlrow · excluded by the configuration<b>Removes</b> everything below a folder',
  ]);
  await row.getByRole('button', { name: '~/.gemini/settings.json' }).click();
  expect(await intention('mcp.act')).toEqual({ type: 'mcp.act', server: 'files', action: 'openFile' });
});

test('what a state calls for is a button, and the rest is a menu', async ({ open }) => {
  const { page, intention, intentions } = await openList(open, servers(now()));
  const acted = async () => {
    const { server, action } = await intention('mcp.act');
    return `${action} ${server}`;
  };
  await page.getByRole('button', { name: 'Sign in: tickets' }).click();
  expect(await acted()).toBe('signIn tickets');
  await page.getByRole('button', { name: 'Restart: build' }).click();
  expect(await acted()).toBe('restart build');
  await page.getByRole('button', { name: 'Enable: weather' }).focus();
  await page.keyboard.press('Enter');
  expect(await acted()).toBe('enable weather');
  await page.getByRole('button', { name: 'More actions of files' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Restart',
    'Disable',
    'Show log',
    'Open file',
    'Remove…',
  ]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await acted()).toBe('disable files');
  expect((await intentions()).filter(({ type }) => type === 'mcp.act')).toHaveLength(4);
  // Only what stands in the file that adding a server writes.
  await page.getByRole('button', { name: 'More actions of database' }).click();
  expect(await page.getByRole('menuitem').allTextContents()).not.toContain('Remove…');
});

test('a change of state is told to a screen reader, and the focus stays', async ({ open }) => {
  const list = servers(now());
  const { page, send } = await openList(open, list);
  const row = page.locator('.mcp-server .row').nth(6);
  await row.focus();
  await send({
    type: 'mcp.listed',
    servers: list.with(6, { ...list[6]!, status: { kind: 'failed', reason: 'It ended.' } }),
  });
  await expect.poll(() => page.getByRole('status').allTextContents()).toContain('fetch: Failed. It ended.');
  expect(await row.evaluate(each => each === document.activeElement)).toBe(true);
});

test('five hundred tools stand behind a fold and are found by their words', async ({ open }) => {
  const { page } = await openList(open, manyServers);
  await page
    .getByRole('button', { name: /everything/ })
    .first()
    .click();
  await expect.poll(() => page.locator('.mcp-tools li').count()).toBe(30);
  await page.getByRole('button', { name: 'Show 470 more tools' }).click();
  await expect.poll(() => page.locator('.mcp-tools li').count()).toBe(500);
  const field = page.locator('.search-field input');
  await field.fill('number 417');
  await expect.poll(() => page.locator('.mcp-tools code').allTextContents()).toEqual(['tool_417']);
  await field.fill('nothing at all');
  await page.getByText('No server and no tool matches “nothing at all”.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => field.inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('log').waitFor();
});

test('without servers the page says where to name one', async ({ open }) => {
  const { page, intention } = await openList(open, []);
  await page.getByText('.vscode/mcp.json').waitFor();
  await page.getByRole('button', { name: "Open Folio's settings" }).click();
  await intention('settings.open');
});

test('a server that waits leads to the list on which it is decided', async ({ open }) => {
  const { page } = await openList(open, servers(now()));
  await page.getByRole('button', { name: 'Decide: database' }).click();
  await page.getByRole('log').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('a state that does not fit beside the name stands below it, in line with it', async ({ open }) => {
  const { page } = await openList(open, servers(now()));
  const places = () =>
    page.locator('.mcp-words').evaluateAll(all =>
      all.map(words => {
        const [name, state] = [...words.children].map(each => each.getBoundingClientRect());
        const isBelow = state!.top >= name!.bottom - 1;
        const frame = words.getBoundingClientRect();
        return { isBelow, inLine: isBelow ? state!.left === name!.left : state!.right >= frame.right - 1 };
      }),
    );
  await page.setViewportSize({ width: 280, height: 760 });
  await expect.poll(async () => (await places()).filter(({ isBelow }) => isBelow).length).toBeGreaterThan(2);
  expect((await places()).every(({ inLine }) => inLine)).toBe(true);
  await page.setViewportSize({ width: 700, height: 760 });
  await expect.poll(async () => (await places()).every(({ isBelow }) => !isBelow)).toBe(true);
  expect((await places()).every(({ inLine }) => inLine)).toBe(true);
});

test('a button that goes with its press gives the focus to the row, and the arrows continue from there', async ({
  open,
}) => {
  const list = servers(now());
  const { page, intention, send } = await openList(open, list);
  const isFocused = (at: number) =>
    expect
      .poll(() =>
        page
          .locator('.mcp-server .row')
          .nth(at)
          .evaluate(row => row === document.activeElement),
      )
      .toBe(true);
  await page.getByRole('button', { name: 'Enable: weather' }).focus();
  await page.keyboard.press('Enter');
  await intention('mcp.act');
  await send({ type: 'mcp.listed', servers: list.with(5, { ...list[5]!, status: { kind: 'starting' } }) });
  await isFocused(5);
  await page.keyboard.press('ArrowUp');
  await isFocused(4);
  await page.getByRole('button', { name: 'Restart: build' }).focus();
  await page.keyboard.press('ArrowDown');
  await isFocused(3);
  await page.getByRole('button', { name: 'Restart: build' }).focus();
  await page.keyboard.press('ArrowUp');
  await isFocused(2);
});

test('who asks for the rest of the tools reads on where the list was cut', async ({ open }) => {
  const { page } = await openList(open, manyServers);
  await page.locator('.mcp-server .row').click();
  await page.getByRole('button', { name: 'Show 470 more tools' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.querySelector('code')?.textContent))
    .toBe('tool_31');
});

test('the field is there while the servers are asked for, and without any Enter adds the first', async ({
  open,
}) => {
  const { page, send, intention } = await open({ state: fold(rested) });
  await send({ type: 'view.shown', view: 'mcp' });
  const field = page.getByRole('textbox', { name: 'Filter servers and tools' });
  await expect.poll(() => field.evaluate(each => each === document.activeElement)).toBe(true);
  await send({ type: 'mcp.listed', servers: [] });
  await page.getByText('.vscode/mcp.json').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add server…');
  await page.keyboard.press('Enter');
  await intention('mcp.add');
});

test('the arrow that opens a menu does not walk the list, and Escape leads back to its button', async ({
  open,
}) => {
  const { page } = await openList(open, servers(now()));
  const button = page.getByRole('button', { name: 'More actions of build' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Disable');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Show log');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  expect(await button.evaluate(each => each === document.activeElement)).toBe(true);
});
