import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { themeNames } from '../support/themes.ts';
import { agentAsks, agentsEnded } from './agentScenes.ts';
import {
  actingAlone,
  answered,
  askingDangerous,
  askingLasting,
  askingMode,
  askingPlan,
  askingQuestions,
  askingRead,
  permissions,
} from './askScenes.ts';
import { compressedChapters, pinned, untitled } from './chapterScenes.ts';
import { breakdown, compressed, compressing, proposed, tooLarge, undone } from './compressionScenes.ts';
import { hooked, looping, overMoney, stoppedTurn, unseenHooks, waiting } from './controlScenes.ts';
import { manyUnseen, servers } from './customScenes.ts';
import { fold } from './journal.ts';
import { autoRested, choosing, fellBack, quota } from './modelScenes.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import {
  aftermath,
  askingHunks,
  invoice,
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

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function violations(panel: PanelPage): Promise<readonly string[]> {
  await panel.page.waitForFunction(() => customElements.get('vscode-button') !== undefined);
  await panel.page.evaluate(axeSource);
  const results = await panel.page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  );
}

const unfolded = {
  sessionId: 'session-1',
  cards: { review: true, [`review  ${invoice.path}`]: true },
};

const scenes: readonly (readonly [string, PanelOptions])[] = [
  ['asking for a command', { state: fold(asking) }],
  ['asking for an edit', { state: fold(askingEdit) }],
  ['asking for a dangerous command', { state: fold(askingDangerous) }],
  ['asking with lasting permissions', { state: fold(askingLasting) }],
  ['asking for a protected file', { state: fold(askingRead) }],
  ['asking for another mode', { state: fold(askingMode) }],
  [
    'a form',
    {
      state: fold(askingQuestions()),
      memory: {
        sessionId: 'session-1',
        answers: { asked: [{ taken: [], words: 'By a setting', isOther: true }] },
      },
    },
  ],
  ['an answered form', { state: fold(answered) }],
  ['a plan', { state: fold(askingPlan) }],
  ['acting alone', { state: fold(actingAlone) }],
  ['running', { state: fold(running) }],
  ['a model that failed', { state: fold(choosing(quota)) }],
  ['another model that went on', { state: fold(fellBack) }],
  ['a turn of Auto', { state: fold(autoRested) }],
  ['failed', { state: fold(failed) }],
  ['rested', { state: fold(rested) }],
  ['asking for hunks', { state: fold(askingHunks) }],
  ['reviewing', { state: fold(reviewing), memory: unfolded }],
  ['reviewing by chapter', { state: fold(reviewingChapters), memory: unfolded }],
  ['only rejected changes', { state: fold(onlyRejected), memory: unfolded }],
  ['rewound', { state: fold([...twoTurns, rewound('both')]) }],
  ['what a command changed', { state: fold(aftermath) }],
  ['mentions and pins', { state: fold(pinned) }],
  ['chapters at rest', { state: fold(compressedChapters) }],
  ['no titled chapter', { state: fold(untitled) }],
  ['summarising', { state: fold(compressing) }],
  ['a summary that waits', { state: fold(proposed) }],
  [
    'compressed',
    { state: fold(compressed), memory: { sessionId: 'session-1', cards: { 'summary-k1': true } } },
  ],
  ['a compression taken back', { state: fold(undone) }],
  ['too large a request', { state: fold(tooLarge) }],
  ['prompts that wait', { state: fold(waiting), memory: { draft: 'And then' } }],
  ['prompts that wait after a stop', { state: fold([...waiting, stoppedTurn]) }],
  [
    'hooks',
    {
      state: fold(hooked),
      memory: { sessionId: 'session-1', cards: { 'hooks-h0': true, h5: true } },
      surroundings: { unseenHooks, unseen: manyUnseen },
    },
  ],
  ['an agent that asks', { state: fold(agentAsks), memory: { sessionId: 'session-1', cards: { i1: true } } }],
  [
    'agents that have ended',
    { state: fold(agentsEnded), memory: { sessionId: 'session-1', cards: { i1: true, i2: true } } },
  ],
  ['at a limit', { state: fold(overMoney) }],
  ['work in circles', { state: fold(looping) }],
  ['first run', { surroundings: { connection: 'none' } }],
  ['restricted rehearsal', { surroundings: { connection: 'rehearsal', trusted: false } }],
];

test.for(themeNames)('axe finds nothing to object to in the theme %s', async (theme, { open }) => {
  for (const [name, options] of scenes) {
    const panel = await open({ theme, ...options });
    await panel.page.locator('.composer').waitFor();
    expect(await violations(panel), name).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in what sends and changes waiting prompts', async ({ open }) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(waiting), memory: { draft: 'And then' } });
    await panel.page.getByRole('button', { name: 'Ways to send' }).click();
    await panel.page.getByRole('menu').waitFor();
    expect(await violations(panel), `menu, ${theme}`).toEqual([]);
    await panel.page.keyboard.press('Escape');
    await panel.page.locator('.queue-text').first().click();
    await panel.page.getByRole('textbox', { name: 'Waiting prompt' }).waitFor();
    expect(await violations(panel), `changing, ${theme}`).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in other open sessions and in what a row of the history can become', async ({
  open,
}) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(asking) });
    await panel.send({ type: 'sessions.open', sessions: openBeside });
    await panel.page.getByRole('button', { name: '2 more open sessions' }).click();
    await panel.page.getByRole('button', { name: /What does total/ }).waitFor();
    expect(await violations(panel), `open sessions, ${theme}`).toEqual([]);
    await panel.send({ type: 'view.shown', view: 'history' }, listed(history()));
    await panel.page.getByRole('button', { name: /Move to ESM/ }).focus();
    await panel.page.keyboard.press('Delete');
    await panel.page.getByText('Deleted: Move to ESM').waitFor();
    await panel.page.getByRole('button', { name: /Publish the package/ }).hover();
    await panel.page.locator('.session').nth(3).focus();
    await panel.page.keyboard.press('F2');
    await panel.page.getByRole('textbox', { name: 'Title of the session' }).waitFor();
    expect(await violations(panel), `history, ${theme}`).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in outline and history', async ({ open }) => {
  const panel = await open({ state: fold(asking) });
  await panel.send({ type: 'view.shown', view: 'outline' });
  await panel.page.getByRole('navigation').waitFor();
  expect(await violations(panel), 'outline').toEqual([]);
  await panel.send({ type: 'view.shown', view: 'history' }, listed(history(), '', true));
  await panel.page.getByRole('button', { name: /Move to ESM/ }).waitFor();
  expect(await violations(panel), 'history').toEqual([]);
});

test('axe finds nothing to object to in the permissions', async ({ open }) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(rested) });
    await panel.send(
      { type: 'view.shown', view: 'permissions' },
      { type: 'permissions.listed', permissions },
    );
    await panel.page.locator('summary').last().click();
    await panel.page
      .getByRole('button', { name: /^Remove:/ })
      .first()
      .click();
    await panel.page.getByText('Remove this permission?').waitFor();
    expect(await violations(panel), theme).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in the servers', async ({ open }) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(rested) });
    await panel.send(
      { type: 'view.shown', view: 'mcp' },
      { type: 'mcp.listed', servers: servers(Date.now()) },
    );
    await panel.page.locator('.mcp-server .row').first().click();
    await panel.page.getByRole('button', { name: 'More actions of build' }).click();
    await panel.page.getByRole('menu').waitFor();
    expect(await violations(panel), theme).toEqual([]);
    await panel.send({ type: 'mcp.listed', servers: [] });
    await panel.page.getByText('No server is named', { exact: false }).waitFor();
    expect(await violations(panel), `none, ${theme}`).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in what is done to a chapter', async ({ open }) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(compressedChapters) });
    const { page, send } = panel;
    await page.getByRole('button', { name: 'More actions of chapter 3' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    expect(await violations(panel), `menu, ${theme}`).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('[data-chapter-heading]').last().focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Title of chapter 3' }).waitFor();
    expect(await violations(panel), `renaming, ${theme}`).toEqual([]);
    await send({ type: 'view.shown', view: 'outline' });
    await page.getByTitle('Summarised').waitFor();
    expect(await violations(panel), `outline, ${theme}`).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in what asks before a rewind', async ({ open }) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(twoTurns) });
    await panel.page.getByRole('button', { name: 'Rewind…' }).last().click();
    const { to } = await panel.intention('rewind.preview');
    await panel.send({ type: 'rewind.previewed', to, files: restored });
    await panel.page.getByText('merged with your edits').waitFor();
    expect(await violations(panel), theme).toEqual([]);
    await panel.close();
  }
});

test('axe finds nothing to object to in what fills the context', async ({ open }) => {
  for (const theme of themeNames) {
    const panel = await open({ theme, state: fold(compressed) });
    await panel.page.getByRole('button', { name: /Show the breakdown/ }).click();
    await panel.send({ type: 'context.described', breakdown });
    await panel.page.getByText('84,000 of 200,000 tokens').waitFor();
    expect(await violations(panel), theme).toEqual([]);
    await panel.close();
  }
});
