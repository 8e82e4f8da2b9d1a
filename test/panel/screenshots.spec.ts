import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { themeNames } from '../support/themes.ts';
import { agentAsks, agentsEnded, agentsWork } from './agentScenes.ts';
import { actingAlone, askingDangerous, askingPlan, askingQuestions, permissions } from './askScenes.ts';
import {
  compressedChapters,
  manyChapters,
  mentioning,
  pinned,
  restedChapters,
  untitled,
} from './chapterScenes.ts';
import { breakdown, compressedTwice, compressing, proposed } from './compressionScenes.ts';
import { hooked, looping, oneWaits, overMoney, unseenHooks, waiting } from './controlScenes.ts';
import { manyUnseen, servers, unseen } from './customScenes.ts';
import { fold } from './journal.ts';
import { outcomes } from './outcomeScenes.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import {
  aftermath,
  askingHunks,
  onlyRejected,
  restored,
  reviewing,
  reviewingChapters,
  rewound,
  twoTurns,
} from './reviewScenes.ts';
import { asking, askingEdit, failed, rested, running } from './scenario.ts';
import { history, listed, openBeside } from './sessionScenes.ts';
import { test } from './suite.ts';

const folder = fileURLToPath(new URL('../workbench/screenshots/panel', import.meta.url));

interface Scene {
  readonly name: string;
  readonly events?: readonly SessionEventBody[];
  readonly options?: PanelOptions;
  readonly act?: (panel: PanelPage) => Promise<void>;
}

const scenes: readonly Scene[] = [
  { name: 'ask', events: asking },
  { name: 'ask-edit', events: askingEdit },
  { name: 'ask-danger', events: askingDangerous },
  { name: 'ask-form', events: askingQuestions() },
  { name: 'ask-plan', events: askingPlan },
  { name: 'acting-alone', events: actingAlone },
  {
    name: 'permissions',
    events: rested,
    act: async panel => {
      await panel.send(
        { type: 'view.shown', view: 'permissions' },
        { type: 'permissions.listed', permissions },
      );
      await panel.page.locator('.permission').first().waitFor();
    },
  },
  { name: 'outcomes', events: outcomes },
  { name: 'running', events: running },
  { name: 'failed', events: failed },
  { name: 'rested', events: rested },
  { name: 'first-run', options: { surroundings: { connection: 'none', activeFile: undefined } } },
  { name: 'empty', options: { surroundings: { connection: 'rehearsal', trusted: false } } },
  {
    name: 'outline',
    events: asking,
    act: async panel => panel.send({ type: 'view.shown', view: 'outline' }),
  },
  {
    name: 'history',
    events: asking,
    act: async panel => {
      await panel.send({ type: 'view.shown', view: 'history' }, listed(history(), '', true));
      await panel.page.getByRole('button', { name: /Move to ESM/ }).focus();
      await panel.page.keyboard.press('Delete');
      await panel.page.getByRole('button', { name: /Publish the package/ }).focus();
    },
  },
  {
    name: 'open-sessions',
    events: running,
    act: async panel => {
      await panel.send({ type: 'sessions.open', sessions: openBeside });
      await panel.page.getByRole('button', { name: '2 more open sessions' }).click();
    },
  },
  {
    name: 'top',
    events: asking,
    act: async panel => {
      await panel.page.locator('[data-chapter-heading]').nth(1).click();
      await panel.page.getByText('1 of 3 to-dos').click();
      await panel.page.getByRole('log').evaluate(log => {
        log.scrollTop = 0;
      });
    },
  },
  {
    name: 'denying',
    events: askingEdit,
    act: async panel => {
      await panel.page.getByRole('log').focus();
      await panel.page.keyboard.press('k');
      await panel.page.keyboard.press('r');
    },
  },
  { name: 'review', events: reviewing },
  { name: 'review-rejected', events: onlyRejected, act: unfoldReview },
  {
    name: 'review-list',
    events: reviewing,
    act: async panel => {
      await unfoldReview(panel);
      await panel.page.locator('.review-file [data-toggle]').first().click();
    },
  },
  { name: 'review-chapters', events: reviewingChapters, act: unfoldReview },
  {
    name: 'ask-hunks',
    events: askingHunks,
    act: async panel => {
      await panel.page.getByRole('checkbox').nth(1).click();
    },
  },
  {
    name: 'prompt-actions',
    events: twoTurns,
    act: async ({ page }) => page.locator('.prompt').last().hover(),
  },
  {
    name: 'chapter-actions',
    events: reviewing,
    act: async ({ page }) => page.locator('.chapter-line').last().hover(),
  },
  { name: 'chapters-rested', events: compressedChapters },
  {
    name: 'chapter-menu',
    events: reviewing,
    act: async ({ page }) => {
      await page.locator('.chapter-line').last().hover();
      await page.getByRole('button', { name: 'More actions of chapter 3' }).click();
    },
  },
  {
    name: 'chapter-renaming',
    events: restedChapters,
    act: async ({ page }) => {
      await page.locator('[data-chapter-heading]').last().focus();
      await page.keyboard.press('F2');
    },
  },
  {
    name: 'outline-long',
    events: [...manyChapters, ...compressedChapters.slice(-1)],
    act: async panel => panel.send({ type: 'view.shown', view: 'outline' }),
  },
  {
    name: 'sticky-heading',
    events: manyChapters,
    options: { surroundings: { foldFinishedChapters: false } },
    act: async ({ page }) => {
      await page.getByRole('log').evaluate(log => {
        log.scrollTop = 900;
      });
    },
  },
  { name: 'untitled', events: untitled },
  { name: 'mentions', events: mentioning },
  {
    name: 'pins',
    events: pinned,
    act: async ({ page }) => page.locator('.prompt').hover(),
  },
  {
    name: 'rewinding',
    events: twoTurns,
    act: async panel => {
      await panel.page.getByRole('button', { name: 'Rewind…' }).last().click();
      const { to } = await panel.intention('rewind.preview');
      await panel.send({ type: 'rewind.previewed', to, files: restored });
    },
  },
  {
    name: 'resending',
    events: twoTurns,
    act: async panel => {
      await panel.page.getByRole('button', { name: 'Edit and resend' }).last().click();
      const { to } = await panel.intention('rewind.preview');
      await panel.send({ type: 'rewind.previewed', to, files: restored.slice(0, 1) });
    },
  },
  { name: 'rewound', events: [...twoTurns, rewound('both')] },
  {
    name: 'aftermath',
    events: aftermath,
    act: async ({ page }) => page.getByText('Changed 2 files').click(),
  },
  {
    name: 'pickers',
    events: rested,
    act: async panel => {
      await panel.page.getByRole('combobox', { name: 'Model' }).click();
    },
  },
  { name: 'compressing', events: compressing },
  { name: 'compression', events: proposed },
  {
    name: 'compressed',
    events: compressedTwice,
    act: async ({ page }) => page.getByRole('button', { name: 'View the summary' }).last().click(),
  },
  {
    name: 'queue',
    events: waiting,
    act: async ({ page }) => {
      await page.getByRole('textbox', { name: 'Ask Folio' }).fill('And then');
      await page.getByRole('button', { name: 'Ways to send' }).click();
    },
  },
  {
    name: 'queue-changing',
    events: waiting,
    act: async ({ page }) => page.locator('.queue-text').nth(1).click(),
  },
  { name: 'queue-rested', events: oneWaits },
  {
    name: 'hooks',
    events: hooked,
    act: async ({ page }) => page.getByText('5 hooks ran').click(),
  },
  { name: 'hooks-unseen', events: rested, options: { surroundings: { unseenHooks } } },
  { name: 'brings', events: rested, options: { surroundings: { unseenHooks, unseen } } },
  { name: 'brings-much', events: rested, options: { surroundings: { unseen: manyUnseen } } },
  { name: 'agents', events: agentsWork },
  { name: 'agents-ask', events: agentAsks },
  { name: 'agents-ended', events: agentsEnded },
  {
    name: 'agents-unfolded',
    events: agentAsks,
    act: async ({ page }) => page.locator('.agent .row').first().click(),
  },
  {
    name: 'mcp',
    events: rested,
    act: async panel => {
      await panel.send(
        { type: 'view.shown', view: 'mcp' },
        { type: 'mcp.listed', servers: servers(Date.now()) },
      );
      await panel.page.locator('.mcp-server .row').first().click();
    },
  },
  {
    name: 'mcp-none',
    events: rested,
    act: async panel => {
      await panel.send({ type: 'view.shown', view: 'mcp' }, { type: 'mcp.listed', servers: [] });
      await panel.page.getByText('No server is named', { exact: false }).waitFor();
    },
  },
  { name: 'limit', events: overMoney },
  { name: 'loop', events: looping },
  {
    name: 'tokens',
    events: asking,
    act: async panel => {
      await panel.page.getByRole('button', { name: /Show the breakdown/ }).click();
      await panel.send({ type: 'context.described', breakdown });
    },
  },
];

async function unfoldReview({ page }: PanelPage): Promise<void> {
  await page.locator('.review .strip-toggle').click();
}

test.for(themeNames)('every state can be looked at in the theme %s', async (theme, { open }) => {
  await mkdir(folder, { recursive: true });
  for (const width of [340, 700]) {
    for (const scene of scenes) {
      const state = scene.events && fold(scene.events);
      const panel = await open({ theme, width, ...scene.options, ...(state && { state }) });
      await panel.page.waitForFunction(() => customElements.get('vscode-button') !== undefined);
      await scene.act?.(panel);
      await panel.page.evaluate(() => document.fonts.ready.then(() => undefined));
      await panel.page.waitForTimeout(150);
      await panel.page.screenshot({ path: join(folder, `${scene.name}-${theme}-${width}.png`) });
      expect(await panel.troubles(), `${scene.name} at ${width}`).toEqual([]);
      await panel.close();
    }
  }
});
