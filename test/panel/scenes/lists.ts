/* The pages beside the conversation: outline, sessions, permissions and servers. */

import type { ToWebview } from '../../../src/protocol/panel/messages.ts';
import { permissions } from '../askScenes.ts';
import { compressedChapters, manyChapters } from '../chapterScenes.ts';
import { comparison } from '../comparisonScenes.ts';
import { servers } from '../customScenes.ts';
import { inboxEntries } from '../inboxScenes.ts';
import { fold } from '../journal.ts';
import type { PanelPage } from '../panelPage.ts';
import { asking, rested, running } from '../scenario.ts';
import { history, listed, openBeside, openNow } from '../sessionScenes.ts';
import { statistics } from '../statisticsScenes.ts';
import type { Scene } from './scene.ts';

const outline: ToWebview = { type: 'view.shown', view: 'outline' };

async function showHistory({ page, send }: PanelPage): Promise<void> {
  await send({ type: 'view.shown', view: 'history' }, listed(history(), '', true));
  await page.getByRole('button', { name: /Move to ESM/ }).focus();
  await page.keyboard.press('Delete');
  await page.getByText('Deleted: Move to ESM').waitFor();
}

async function showPermissions({ page, send }: PanelPage): Promise<void> {
  await send({ type: 'view.shown', view: 'permissions' }, { type: 'permissions.listed', permissions });
  await page.locator('.permission').first().waitFor();
}

async function showServers({ page, send }: PanelPage): Promise<void> {
  await send({ type: 'view.shown', view: 'mcp' }, { type: 'mcp.listed', servers: servers(Date.now()) });
  await page.locator('.mcp-server .row').first().click();
}

async function showBackground({ page, send }: PanelPage): Promise<void> {
  const { sessionId, title } = fold(running);
  await send({
    type: 'sessions.open',
    sessions: [{ sessionId, title, status: 'working', background: 'working' }],
  });
  await page.locator('.strip-background').waitFor();
}

async function showInbox({ page, send }: PanelPage): Promise<void> {
  await send({ type: 'view.shown', view: 'inbox' }, { type: 'inbox.listed', entries: inboxEntries });
  await page.locator('.inbox-entry').last().waitFor();
}

async function showComparison({ page, send }: PanelPage): Promise<void> {
  await send({ type: 'view.shown', view: 'comparison' }, { type: 'comparison.told', comparison });
  await page.locator('.attempt').last().waitFor();
}

async function showStatistics({ page, send }: PanelPage): Promise<void> {
  await send({ type: 'view.shown', view: 'statistics' }, { type: 'statistics.told', days: 30, statistics });
  await page.locator('.bar-chart-bar').last().waitFor();
}

export const listScenes: readonly Scene[] = [
  {
    name: 'outline',
    events: asking,
    act: async ({ page, send }) => {
      await send(outline);
      await page.getByRole('navigation').waitFor();
    },
  },
  {
    name: 'outline-long',
    events: [...manyChapters, ...compressedChapters.slice(-1)],
    act: ({ send }) => send(outline),
  },
  {
    name: 'outline-compressed',
    events: compressedChapters,
    act: async ({ page, send }) => {
      await send(outline);
      await page.getByTitle('Summarised').waitFor();
    },
  },
  {
    name: 'history',
    events: asking,
    act: async panel => {
      await showHistory(panel);
      await panel.page.getByRole('button', { name: /Publish the package/ }).focus();
    },
  },
  {
    name: 'history-found',
    events: rested,
    act: async ({ page, send }) => {
      await send({ type: 'view.shown', view: 'history' }, listed(history()));
      await page.getByRole('textbox', { name: /^Search/ }).fill('invoice round');
      // Taken once the page has asked for these words.
      while ((await page.locator('mark').count()) === 0)
        await send(listed(history().slice(0, 4), 'invoice round'));
    },
  },
  {
    name: 'history-renaming',
    events: asking,
    act: async panel => {
      await showHistory(panel);
      await panel.page.getByRole('button', { name: /Publish the package/ }).hover();
      await panel.page.locator('.session').nth(3).focus();
      await panel.page.keyboard.press('F2');
      await panel.page.getByRole('textbox', { name: 'Title of the session' }).waitFor();
    },
  },
  {
    name: 'sessions',
    events: rested,
    act: async ({ page, send }) => {
      await send(
        { type: 'sessions.open', sessions: openNow() },
        { type: 'view.shown', view: 'history' },
        listed(history()),
      );
      await page.locator('.session-buttons').last().waitFor();
    },
  },
  {
    name: 'sessions-filtered',
    events: asking,
    act: async ({ page, send }) => {
      await send(
        { type: 'sessions.open', sessions: openNow() },
        { type: 'view.shown', view: 'history' },
        listed(history()),
      );
      await page.getByRole('button', { name: 'Waiting for you 2' }).click();
      await page.getByRole('button', { name: /Publish the package/ }).focus();
    },
  },
  {
    name: 'open-sessions',
    events: running,
    act: async ({ page, send }) => {
      await send({ type: 'sessions.open', sessions: openBeside });
      await page.getByRole('button', { name: '2 more open sessions' }).waitFor();
    },
  },
  { name: 'permissions', events: rested, act: showPermissions },
  {
    name: 'permissions-removing',
    events: rested,
    act: async panel => {
      await showPermissions(panel);
      await panel.page.locator('summary').last().click();
      await panel.page
        .getByRole('button', { name: /^Remove:/ })
        .first()
        .click();
      await panel.page.getByText('Remove this rule?').waitFor();
    },
  },
  { name: 'mcp', events: rested, actAnywhere: showServers },
  {
    name: 'mcp-menu',
    events: rested,
    act: async panel => {
      await showServers(panel);
      await panel.page.getByRole('button', { name: 'More actions of build' }).click();
      await panel.page.getByRole('menu').waitFor();
    },
  },
  { name: 'background', events: running, actAnywhere: showBackground },
  { name: 'inbox', events: rested, actAnywhere: showInbox },
  {
    name: 'inbox-editing',
    events: rested,
    act: async panel => {
      await showInbox(panel);
      await panel.page.locator('.inbox-entry').first().focus();
      await panel.page.keyboard.press('Enter');
      await panel.page.getByRole('textbox', { name: 'Text to remember' }).waitFor();
    },
  },
  {
    name: 'inbox-none',
    events: rested,
    act: async ({ page, send }) => {
      await send({ type: 'view.shown', view: 'inbox' }, { type: 'inbox.listed', entries: [] });
      await page.getByText('The inbox is empty.').waitFor();
    },
  },
  {
    name: 'inbox-count',
    events: [],
    act: ({ send }) => send({ type: 'inbox.listed', entries: inboxEntries }),
  },
  { name: 'comparison', events: rested, actAnywhere: showComparison },
  { name: 'statistics', events: rested, actAnywhere: showStatistics },
  {
    name: 'comparison-none',
    events: rested,
    act: async ({ page, send }) => {
      await send({ type: 'view.shown', view: 'comparison' }, { type: 'comparison.told' });
      await page.getByText('No comparison yet.', { exact: false }).waitFor();
    },
  },
  {
    name: 'mcp-none',
    events: rested,
    act: async ({ page, send }) => {
      await send({ type: 'view.shown', view: 'mcp' }, { type: 'mcp.listed', servers: [] });
      await page.getByText('No MCP servers yet.').waitFor();
    },
  },
];
