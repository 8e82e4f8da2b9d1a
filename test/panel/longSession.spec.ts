import { expect } from 'vitest';
import { PanelFeed } from '../../src/extension/vscode/panel/panelFeed.ts';
import { ShownSession } from '../../src/extension/vscode/panel/shownSession.ts';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import { reduceWithAgents } from '../../src/protocol/fold/reduceAgents.ts';
import type { SessionState } from '../../src/protocol/state.ts';
import { agentsEnded } from './agentScenes.ts';
import { done, end, fold, journal, prompt, request, started, step, stepEnd, text } from './journal.ts';
import type { PanelOptions, PanelPage } from './panelPage.ts';
import { test } from './suite.ts';

const words = 'The total is computed in three places, and each of them rounds in its own way. '.repeat(6);

/** A prompt, two answers and a search: some screens high when it is open. */
function chapter(number: number): readonly SessionEventBody[] {
  const id = `c${number}`;
  return [
    { type: 'chapter.started', chapterId: id, title: `Part ${number}` },
    prompt(`t${number}`, `Look at part ${number}`),
    ...[1, 2, 3].flatMap(each => [step(`${id}s${each}`, each), text(`${id}s${each}`, words)]),
    ...done({ id: `${id}k`, tool: 'grep_search', title: `Search part ${number}` }, '3 matches'),
    stepEnd(`${id}s3`, 20_000),
    {
      type: 'turn.ended',
      turnId: `t${number}`,
      end: number === 3 ? { kind: 'stopped' } : { kind: 'rested' },
    },
  ];
}

const chapters = 90;

const long: readonly SessionEventBody[] = [
  started,
  prompt('t0', 'Make it right'),
  ...Array.from({ length: chapters }, (_, index) => chapter(index + 1)).flat(),
];

interface Opened {
  readonly panel: PanelPage;
  readonly feed: PanelFeed;
  /** Answers what the page has asked for meanwhile. */
  answer(): Promise<void>;
  emit(...bodies: readonly SessionEventBody[]): void;
}

type Open = (options?: PanelOptions) => Promise<PanelPage>;

/** The page with the host's feed behind it, which sends the newest two chapters at first. */
async function openLong(open: Open, options: PanelOptions = {}, begun = fold(long)): Promise<Opened> {
  const panel = await open({ width: 420, height: 700, ...options, state: null });
  let state: SessionState = begun;
  const sent: Promise<void>[] = [];
  const feed = new PanelFeed(
    message => sent.push(panel.send(message)),
    () => state,
  );
  let answered = 0;
  feed.attach(shown => new ShownSession(shown, { items: 12, size: 100_000 }));
  await Promise.all(sent);
  await panel.page.getByRole('log').waitFor();
  return {
    panel,
    feed,
    answer: async () => {
      const intentions = await panel.intentions();
      for (const each of intentions.slice(answered)) if (each.type === 'items.load') feed.load(each.of);
      answered = intentions.length;
      await Promise.all(sent);
    },
    emit: (...bodies) => {
      state = journal(bodies, state.seq).reduce(reduceWithAgents, state);
      feed.update();
    },
  };
}

const section = ({ page }: PanelPage, number: number) => page.locator(`[data-chapter="c${number}"]`);
const topOf = async (panel: PanelPage, number: number) =>
  Math.round((await section(panel, number).locator('[data-chapter-heading]').boundingBox())?.y ?? Number.NaN);
const asked = async ({ panel }: Opened) =>
  (await panel.intentions()).flatMap(each => (each.type === 'items.load' ? [each.of] : []));
const unfolded = { environment: { foldFinishedChapters: false } };

/** Two frames: what was asked for has been drawn. */
const settle = ({ page }: PanelPage) =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

async function scrollTo(panel: PanelPage, number: number): Promise<void> {
  await panel.page.getByRole('log').evaluate((view, id) => {
    const heading = view.querySelector(`[data-chapter="${id}"]`)!;
    view.scrollTop += heading.getBoundingClientRect().top - view.getBoundingClientRect().top - 200;
  }, `c${number}`);
  await settle(panel);
}

test('a long session opens at its end, with all headings and their facts, and asks for nothing far away', async ({
  open,
}) => {
  const opened = await openLong(open);
  const { panel } = opened;
  expect(await panel.page.locator('[data-chapter-heading]').count()).toBe(chapters);
  await expect.poll(() => section(panel, chapters).locator('.said').first().isVisible()).toBe(true);
  expect(await section(panel, 5).textContent()).toContain('1 call');
  // The third did not come to rest, which is said although its items are not there.
  expect(await section(panel, 3).textContent()).toContain('not finished');
  await opened.answer();
  expect(await asked(opened)).not.toContain('c5');
  await panel.send({ type: 'view.shown', view: 'outline' });
  const items = panel.page.getByRole('navigation', { name: 'Outline' }).locator('.outline-item');
  await expect.poll(() => items.count()).toBe(chapters);
  expect(await items.nth(4).textContent()).toContain('21k tokens');
  expect(await panel.problems()).toEqual([]);
});

test('folded chapters that come near show what the user said in them', async ({ open }) => {
  const opened = await openLong(open);
  const { panel } = opened;
  await scrollTo(panel, 45);
  await expect.poll(() => asked(opened)).toContain('c45');
  expect(await asked(opened)).not.toContain('c5');
  await opened.answer();
  await section(panel, 45).getByText('Look at part 45').waitFor();
  expect(await section(panel, 45).locator('.said').count()).toBe(0);
});

test('what is read stays where it is while chapters above it get their items', async ({ open }) => {
  const opened = await openLong(open, unfolded);
  const { panel } = opened;
  for (const number of [86, 83, 80, 77]) {
    await scrollTo(panel, number);
    await expect.poll(() => asked(opened)).toContain(`c${number - 1}`);
    await opened.answer();
    await settle(panel);
    // The one that is read has its items by now; those above it are still to come.
    await scrollTo(panel, number);
    const before = await topOf(panel, number);
    const missing = async () => {
      await opened.answer();
      return section(panel, number - 1)
        .locator('.unloaded')
        .count();
    };
    await expect.poll(missing).toBe(0);
    await settle(panel);
    expect(Math.abs((await topOf(panel, number)) - before)).toBeLessThanOrEqual(2);
  }
  await section(panel, 77).getByText('Look at part 77').waitFor();
});

test('an entry of the outline leads to a chapter whose items come after', async ({ open }) => {
  const opened = await openLong(open);
  const { panel } = opened;
  await panel.send({ type: 'view.shown', view: 'outline' });
  await panel.page.getByRole('navigation', { name: 'Outline' }).getByText('Part 9', { exact: true }).click();
  await expect.poll(() => asked(opened)).toContain('c9');
  const before = await topOf(panel, 9);
  await opened.answer();
  await expect.poll(() => section(panel, 9).locator('.said').count()).toBe(3);
  await settle(panel);
  expect(Math.abs((await topOf(panel, 9)) - before)).toBeLessThanOrEqual(2);
});

test('K reaches what is not there yet, and the heading has the focus once it is', async ({ open }) => {
  const opened = await openLong(open, unfolded);
  const { panel } = opened;
  await opened.answer();
  await section(panel, 12).locator('.unloaded').focus();
  await expect.poll(() => asked(opened)).toContain('c12');
  await opened.answer();
  await section(panel, 12).locator('.said').first().waitFor();
  const focused = () => panel.page.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toContain('Part 12');
});

test('what happens while a chapter is on its way is not lost', async ({ open }) => {
  const opened = await openLong(open);
  const { panel, emit } = opened;
  await scrollTo(panel, 10);
  await expect.poll(() => asked(opened)).toContain('c10');
  emit(prompt('t99', 'And one more'), step('s99', 1), text('s99', 'Here it is.'));
  await opened.answer();
  await section(panel, 10).getByText('Look at part 10').waitFor();
  await section(panel, chapters).getByText('Here it is.').waitFor({ state: 'attached' });
});

test('going back to a chapter that the page does not have, and undoing it', async ({ open }) => {
  const opened = await openLong(open);
  const { panel, emit } = opened;
  const kept = { filesFrom: 0, keptMessages: 0, todos: [], reviews: [], files: [] };
  const to = { kind: 'turn', turnId: 't8' } as const;
  emit({ type: 'session.rewound', rewindId: 'r', to, scope: 'both', ...kept });
  await panel.page.locator('.rewound').getByText('Rewound to before “Look at part 8”').waitFor();
  expect(await panel.page.locator('[data-chapter-heading]').count()).toBe(8);
  await expect
    .poll(() => panel.page.locator('[data-announcer=quiet]').textContent())
    .toContain('Rewound to before “Look at part 8”');
  emit({ type: 'rewind.undone', rewindId: 'r', files: [] });
  await expect.poll(() => panel.page.locator('[data-chapter-heading]').count()).toBe(chapters);
  await section(panel, chapters).locator('.said').first().waitFor();
});

test('Arrow Up recalls prompts of chapters that have to be asked for first', async ({ open }) => {
  const opened = await openLong(open);
  const { panel } = opened;
  await opened.answer();
  const field = panel.page.getByRole('textbox', { name: 'Ask Folio' });
  await field.focus();
  for (let press = 0; press < 12; press++) {
    await panel.page.keyboard.press('ArrowUp');
    await opened.answer();
    await settle(panel);
  }
  const recalled = Number(/part (\d+)/.exec(await field.inputValue())?.[1]);
  expect(recalled).toBeLessThan(chapters - 2);
});

test('of a long output, prompt and thought the whole opens in an editor', async ({ open }) => {
  const opened = await openLong(open);
  const { panel, emit } = opened;
  const output = Array.from({ length: 900 }, (_, index) => `line ${index + 1}`).join('\n');
  emit(
    prompt('big', 'All of it: '.padEnd(30_000, 'x ')),
    step('sb', 1),
    { type: 'thought.appended', stepId: 'sb', text: 'Hm. '.repeat(8_000) },
    request({
      id: 'kb',
      tool: 'run_shell_command',
      effect: 'run',
      title: 'npm test',
      args: { command: 'npm test' },
    }),
    { type: 'call.started', callId: 'kb' },
    end('kb', 'Exit code 1', {
      display: { summary: 'Exit code 1', detail: { kind: 'command', exitCode: 1, output } },
    }),
  );
  const live = section(panel, chapters);
  await live.getByText('… 880 lines …').waitFor();
  await live.locator('.call-detail').getByRole('button', { name: 'Show all in editor' }).click();
  expect(await panel.intention('output.open')).toEqual({ type: 'output.open', callId: 'kb' });
  const whole = live.locator('.prompt').last().getByRole('button', { name: 'Show all in editor' });
  await whole.click();
  await expect.poll(async () => (await panel.intention('output.open')).callId).toBe('big');
  await live.locator('.thought').last().getByRole('button').first().click();
  await live.locator('.thought').last().getByRole('button', { name: 'Show all in editor' }).click();
  await expect.poll(async () => (await panel.intention('output.open')).callId).toMatch(/^thought/);
});

test('the work of a subagent that has ended comes when its card is unfolded', async ({ open }) => {
  const opened = await openLong(open, {}, fold(agentsEnded));
  const card = opened.panel.page.getByRole('group', { name: /^Agent codebase_investigator/ });
  expect(await card.locator('.agent-facts').textContent()).toMatch(/^3 steps · 28k tokens/);
  expect(await asked(opened)).toEqual([]);
  await card.getByRole('button').first().click();
  await card.getByText(/^Loading \d+ entries$/).waitFor();
  await expect.poll(() => asked(opened)).toEqual(['i1']);
  await opened.answer();
  await card.getByText('Look at the tests too', { exact: false }).waitFor();
  expect(await card.getByText(/^Loading/).count()).toBe(0);
});
