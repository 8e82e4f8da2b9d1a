import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { themeNames } from '../support/themes.ts';
import { compressedChapters, pinned, untitled } from './chapterScenes.ts';
import { breakdown, compressed, compressing, proposed, tooLarge, undone } from './compressionScenes.ts';
import { fold } from './journal.ts';
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
  ['running', { state: fold(running) }],
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

test('axe finds nothing to object to in outline and history', async ({ open }) => {
  const panel = await open({ state: fold(asking) });
  await panel.send({ type: 'view.shown', view: 'outline' });
  await panel.page.getByRole('navigation').waitFor();
  expect(await violations(panel), 'outline').toEqual([]);
  await panel.send(
    { type: 'view.shown', view: 'history' },
    {
      type: 'sessions.listed',
      sessions: [{ sessionId: 'a', title: 'Move to ESM', changedAt: Date.now(), chapters: ['Surveying'] }],
    },
  );
  await panel.page.getByRole('button', { name: /Move to ESM/ }).waitFor();
  expect(await violations(panel), 'history').toEqual([]);
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
