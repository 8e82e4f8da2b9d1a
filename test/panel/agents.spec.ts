import { expect } from 'vitest';
import {
  agentAsks,
  agentBrokenOff,
  agentDecided,
  agentsEnded,
  agentsWork,
  ofAgent,
  sent,
} from './agentScenes.ts';
import { end, fold, journal, request, step } from './journal.ts';
import { choosing, quota } from './modelScenes.ts';
import { settled } from './panelPage.ts';
import { scriptAsks, scriptEnded } from './scriptScenes.ts';
import { test } from './suite.ts';

test('agents that work side by side say who does what, what they do right now and what it takes', async ({
  open,
}) => {
  const { page, play } = await open({ state: fold(agentsWork) });
  const first = page.getByRole('group', { name: /^Agent codebase_investigator: Find out where/ });
  await expect
    .poll(() => first.locator('.agent-activity li').allTextContents())
    .toEqual([
      'Read 1 file, searched once',
      'The lines are rounded one by one in total().',
      'Read test/invoice.test.ts',
    ]);
  expect(await first.locator('.agent-facts').textContent()).toMatch(
    /^2 steps · 19k tokens · \$0\.02 · \d.* s$/,
  );
  const second = page.getByRole('group', { name: /^Agent generalist: Run the tests/ });
  await second.getByText('Read package.json').waitFor();
  await play(
    journal(
      ofAgent('i2', 'generalist', request({ id: 'i2r9', tool: 'glob', title: 'Find *.test.ts' })),
      agentsWork.length,
    ),
  );
  await second.getByText('Find *.test.ts').waitFor();
});

test('an agent is stopped by its own button, once', async ({ open }) => {
  const { page, intention, intentions } = await open({ state: fold(agentsWork) });
  await page.getByRole('button', { name: 'Stop generalist' }).focus();
  await page.keyboard.press('Enter');
  expect(await intention('agent.stop')).toEqual({ type: 'agent.stop', callId: 'i2' });
  await page.getByText('Stopping').waitFor();
  await page.keyboard.press('Enter');
  expect((await intentions()).filter(({ type }) => type === 'agent.stop')).toHaveLength(1);
});

test('an agent unfolds into its own transcript, without a second place to scroll', async ({ open }) => {
  const { page } = await open({ state: fold(agentsWork) });
  const card = page.locator('.agent').first();
  await card.focus();
  await page.keyboard.press('Enter');
  await card.getByText('Look at the tests too', { exact: false }).waitFor();
  await card.getByRole('group', { name: 'Thought: Where it starts' }).waitFor();
  await card.getByRole('button', { name: 'Read 1 file, searched once' }).click();
  await card.getByRole('button', { name: /Read src\/invoice.ts/ }).waitFor();
  await expect.poll(() => card.locator('.answer code').textContent()).toBe('total()');
  const scrolling = await card.evaluate(
    root =>
      [root, ...root.querySelectorAll('*')].filter(
        each =>
          each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY),
      ).length,
  );
  expect(scrolling).toBe(0);
  // What can be done to the session's own answers and prompts cannot be done to these.
  expect(await card.getByRole('button', { name: /^(Pin|Rewind|Edit and resend)/ }).count()).toBe(0);
});

test('what an agent asks stands open and is decided with the keys of any ask', async ({ open }) => {
  const { page, play, intention } = await open({ state: fold(agentsWork) });
  await page.locator('.agent').first().waitFor();
  await play(journal(agentAsks.slice(agentsWork.length), agentsWork.length));
  const ask = page.locator('[data-ask=i2run]');
  await ask.waitFor();
  await page.getByText('Waiting for you').waitFor();
  await expect
    .poll(() => page.locator('[data-announcer=urgent]').textContent())
    .toBe('generalist asks: Run npm test. Commands can change anything on this machine.');
  await page.getByRole('log').focus();
  await page.keyboard.press('k');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-ask')))
    .toBe('i2run');
  await settled(page);
  await page.keyboard.press('a');
  expect(await intention('call.decide')).toEqual({
    type: 'call.decide',
    callId: 'i2run',
    askId: 'ask-i2run',
    decision: { kind: 'once' },
  });
  await play(journal(agentDecided, agentAsks.length));
  await expect.poll(() => ask.count()).toBe(0);
  await expect
    .poll(() => page.locator('.agent').last().locator('.agent-activity').textContent())
    .toContain('Run npm test');
});

test('a key on the card of an agent decides nothing that it asks', async ({ open }) => {
  const { page, intentions } = await open({ state: fold(agentAsks) });
  await page.locator('.agent').last().focus();
  await page.keyboard.press('a');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.locator('.agent').last().locator('.agent-task').waitFor();
  expect((await intentions()).map(({ type }) => type)).not.toContain('call.decide');
  expect(await page.getByRole('textbox', { name: /Reason/ }).count()).toBe(0);
});

test('a script shows what it asks, and unfolds into its code, its calls and its result', async ({ open }) => {
  const { page, play } = await open({ state: fold(scriptAsks) });
  const card = page.getByRole('group', { name: /^Script: Count bugs of those on call/ });
  await card.getByText('create_message of the server chat', { exact: false }).waitFor();
  await play(journal(scriptEnded.slice(scriptAsks.length), scriptAsks.length));
  await card.getByText('4 calls', { exact: true }).waitFor();
  await card.locator('.row').first().click();
  await card.locator('code', { hasText: 'await servers.code.list_repositories' }).waitFor();
  await card.getByText('chat: create_message triage', { exact: false }).waitFor();
  await card.getByText('["billing: 4","orders: 2"]', { exact: true }).waitFor();
});

test('agents that have ended are folded with what came of them, and unfold into their report', async ({
  open,
}) => {
  const { page } = await open({ state: fold(agentsEnded) });
  const first = page.locator('.agent').first();
  await first.getByText('Rounding happens in src/invoice.ts', { exact: false }).waitFor();
  expect(await first.locator('.agent-activity').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Stop (code|gen|rel)/ }).count()).toBe(0);
  await page.getByText('You stopped generalist. It had read package.json.').waitFor();
  await page
    .getByRole('group', { name: /^Agent release-notes: .*failed, The model did not answer/ })
    .waitFor();
  await first.locator('.row').first().click();
  await first.getByText('RelevantLocations', { exact: false }).waitFor();
});

test('nothing of an agent that was broken off runs or asks any more', async ({ open }) => {
  const { page } = await open({ state: fold(agentBrokenOff) });
  await page.getByText('Broken off when the window closed.').first().waitFor();
  expect(await page.locator('[data-ask]').count()).toBe(0);
  for (const row of await page.locator('.agent > .row-with-action > .row').all()) await row.click();
  await page.locator('.agent-task').last().waitFor();
  expect(await page.locator('[data-ask], .agent .spin').count()).toBe(0);
});

test('who has scrolled up is told that a decision is needed, also about the model', async ({ open }) => {
  const beginning = choosing(quota);
  const filler = journal(beginning.slice(0, -1));
  const { page, play } = await open({ state: fold(beginning.slice(0, -1)), height: 220 });
  const log = page.getByRole('log');
  await expect.poll(() => log.evaluate(each => each.scrollTop)).toBeGreaterThan(40);
  await log.hover();
  await page.mouse.wheel(0, -2000);
  await expect.poll(() => log.evaluate(each => each.scrollTop)).toBe(0);
  await play(journal(beginning.slice(-1), filler.length));
  await page.getByRole('button', { name: 'Your decision is needed' }).waitFor();
});

test('what an agent changed in files goes back from its card, and one that changed none has no such button', async ({
  open,
}) => {
  const touched = [{ path: 'notes.md', added: 2, removed: 0 }];
  const wrote = [
    request({ id: 'i9w', tool: 'run_shell_command', title: 'Run make notes', effect: 'run' }),
    end('i9w', 'Exit code 0', { display: { summary: 'Exit code 0', touched } }),
  ];
  const state = fold([
    ...agentsEnded,
    ...sent('i9', 'writer', 'Write the notes.'),
    ...ofAgent('i9', 'writer', step('i91', 1), ...wrote),
    end('i9', 'Written.'),
  ]);
  const { page, intention } = await open({ state });
  for (const agent of ['codebase_investigator', 'writer'])
    await page
      .getByRole('group', { name: new RegExp(`^Agent ${agent}: `) })
      .locator('[data-toggle]')
      .first()
      .click();
  await page.getByRole('button', { name: 'Undo what “Agent writer” changed in files' }).click();
  const to = { kind: 'call', callId: 'i9' };
  expect(await intention('rewind.do')).toEqual({ type: 'rewind.do', to, scope: 'files' });
  expect(await page.getByRole('button', { name: /^Undo what “Agent codebase/ }).count()).toBe(0);
});
