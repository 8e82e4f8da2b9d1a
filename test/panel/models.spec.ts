import { expect } from 'vitest';
import type { SessionEventBody } from '../../src/protocol/events.ts';
import type { ModelChoice } from '../../src/protocol/panel/messages.ts';
import { fold, journal, prompt } from './journal.ts';
import {
  autoRested,
  autoWorking,
  choosing,
  classified,
  fellBack,
  first,
  models,
  onAuto,
  quota,
  restedTurn,
  routed,
  second,
  stepEnded,
  unpriced,
  usedUp,
} from './modelScenes.ts';
import { environment, type PanelOptions, type PanelPage, pressAsItComes, settled } from './panelPage.ts';
import { running } from './scenario.ts';
import { test } from './suite.ts';

const of = (events: readonly SessionEventBody[], more: PanelOptions = {}): PanelOptions => ({
  environment: { models },
  state: fold(events),
  ...more,
});

const card = ({ page }: PanelPage) => page.locator('.ask');
const facts = ({ page }: PanelPage) => page.locator('.turn-facts');
const picker = ({ page }: PanelPage) => page.getByRole('combobox', { name: 'Model' });
const shown = (panel: PanelPage) => picker(panel).locator('button').textContent();
const said = ({ page }: PanelPage, how: 'urgent' | 'quiet') =>
  page.locator(`[data-announcer=${how}]`).textContent();

test('what a turn took stands at its prompt: steps, tokens, what the cache had, and money', async ({
  open,
}) => {
  const panel = await open(of(autoRested));
  expect(await facts(panel).textContent()).toBe(
    'Gemini 2.5 Flash · 2 steps · 26k tokens · 47% cached · <$0.01',
  );
});

test('of an earlier turn, whose model is not known any more, the rest stays', async ({ open }) => {
  const panel = await open(
    of([...autoRested, prompt('t2', 'And round()?'), routed('t2', 'default', 'gemini-2.5-pro')]),
  );
  expect(await facts(panel).allTextContents()).toEqual(['2 steps · 26k tokens · 47% cached · <$0.01']);
});

test('without a price that is said in place of money, and without a cache no word of it', async ({
  open,
}) => {
  const panel = await open(of(unpriced));
  expect(await facts(panel).textContent()).toBe('1 step · 12k tokens · price unknown');
  expect(await panel.page.locator('.chapter-end').textContent()).not.toMatch(/\$|cached/);
});

test('what the running turn takes moves beside what it does', async ({ open }) => {
  const panel = await open(of(autoWorking));
  const line = panel.page.locator('.activity');
  await expect.poll(() => line.textContent()).toMatch(/^Working · \d+ s · <\$0\.01 · 12k tokens$/);
  expect(await facts(panel).count()).toBe(0);
  await panel.play(journal([stepEnded('s1', second, 0.05)], autoWorking.length));
  await expect.poll(() => line.textContent()).toMatch(/^Working · \d+ s · \$0\.05 · 26k tokens$/);
});

test('in a narrow panel what it does is never cut for what it takes, and the time is the last to go', async ({
  open,
}) => {
  for (const width of [280, 400]) {
    const { page } = await open(of(autoWorking, { width }));
    const line = page.locator('.activity');
    await line.getByText(/ s$/).waitFor();
    const { isCut, seen } = await line.evaluate(each => {
      const text = each.querySelector('.activity-text')!;
      const facts = each.querySelector('.activity-time')!;
      const { bottom, right } = facts.getBoundingClientRect();
      const isSeen = (fact: Element) =>
        fact.getBoundingClientRect().top < bottom && fact.getBoundingClientRect().right <= right + 1;
      return {
        isCut: text.scrollWidth > text.clientWidth,
        seen: [...facts.children].map(isSeen),
      };
    });
    expect(isCut).toBe(false);
    expect(seen).toEqual([true, true, width === 400]);
  }
});

test('a prompt and the session say what the cache had', async ({ open }) => {
  const panel = await open(of(autoRested));
  expect(await facts(panel).textContent()).toMatch(/2 steps · 26k tokens · 47% cached · <\$0\.01/);
  await panel.page.getByRole('button', { name: /Show the breakdown/ }).click();
  const sums = panel.page.locator('.context-sums');
  await expect.poll(() => sums.textContent()).toContain('cached12k (47%)');
  expect(await sums.textContent()).toContain('Cost<$0.01');
});

test('the picker says what Auto came to, and why', async ({ open }) => {
  const panel = await open(of([...autoRested.slice(0, 3)]));
  await expect.poll(() => shown(panel)).toBe('Auto');
  await panel.play(journal([routed('t1', 'classifier', 'gemini-2.5-flash', classified)], 3));
  await expect.poll(() => shown(panel)).toBe('Auto · Gemini 2.5 Flash');
  expect(await picker(panel).getAttribute('title')).toBe(`Model: Auto · Gemini 2.5 Flash. ${classified}`);
  await panel.play(journal([routed('t1', 'mode', 'gemini-2.5-pro')], 4));
  await expect.poll(() => shown(panel)).toBe('Auto · Gemini 2.5 Pro');
  expect(await picker(panel).getAttribute('title')).toContain('The strong model plans');
});

test('what was worked with before Auto was chosen is not taken for its choice', async ({ open }) => {
  const panel = await open(
    of([...unpriced.slice(0, 2), routed('t1', 'choice', 'gemini-2.5-pro'), restedTurn('t1'), onAuto]),
  );
  await expect.poll(() => shown(panel)).toBe('Auto');
  expect(await facts(panel).count()).toBe(0);
});

test('the fullness of the context is measured by the model that works', async ({ open }) => {
  const { page } = await open(of(autoWorking));
  await page.getByRole('button', { name: /^Context: 12,400 of 200,000 tokens/ }).waitFor();
});

async function openByKey(panel: PanelPage): Promise<void> {
  await picker(panel).focus();
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => picker(panel).evaluate(each => each.matches(':open'))).toBe(true);
}

async function pressUntilActive(panel: PanelPage, key: string, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await panel.page.keyboard.press(key);
      return picker(panel).locator('option:focus').allTextContents();
    })
    .toEqual([name]);
}

test('Auto, a model and the picker of VS Code can be chosen by key', async ({ open }) => {
  const panel = await open(of(unpriced));
  await expect.poll(() => shown(panel)).toBe('Gemini 2.5 Pro');
  await openByKey(panel);
  const options = picker(panel).locator('option');
  expect(await options.allTextContents()).toEqual(['Auto', 'Gemini 2.5 Pro', 'Gemini 2.5 Flash', 'More…']);
  expect(await options.nth(1).getAttribute('title')).toBe(
    'gemini-2.5-pro · 1M tokens of context · $1.25 in · $10.00 out per million',
  );
  await pressUntilActive(panel, 'Home', 'Auto');
  await panel.page.keyboard.press('Enter');
  expect((await panel.intention('model.set')).model).toBe('auto');
  await panel.play(journal([onAuto], unpriced.length));
  await expect.poll(() => shown(panel)).toBe('Auto');
  await openByKey(panel);
  await pressUntilActive(panel, 'End', 'More…');
  await panel.page.keyboard.press('Enter');
  await panel.intention('model.select');
  await expect.poll(() => shown(panel)).toBe('Auto');
  expect((await panel.intentions()).filter(each => each.type === 'model.set')).toHaveLength(1);
});

const thinking: readonly ModelChoice[] = models.map((each, at) => ({
  ...each,
  efforts: at === 0 ? ['low', 'high'] : undefined,
}));

const both: readonly ModelChoice[] = thinking.map((each, at) =>
  at === 1 ? { ...each, efforts: ['medium'] } : each,
);

test('the effort of the model in use is chosen by key, and what is set for others is told', async ({
  open,
}) => {
  const panel = await open(of(unpriced, { environment: { models: thinking } }));
  const effort = panel.page.getByRole('combobox', { name: 'Effort' });
  const closed = () => effort.locator('button').textContent();
  await expect.poll(closed).toBe('Effort');
  expect(await effort.locator('option').allTextContents()).toEqual(['Default', 'Low', 'High']);
  await effort.focus();
  await panel.page.keyboard.press('Enter');
  await expect.poll(() => effort.evaluate(each => each.matches(':open'))).toBe(true);
  await panel.page.keyboard.press('End');
  await panel.page.keyboard.press('Enter');
  expect(await panel.intention('effort.set')).toEqual({
    type: 'effort.set',
    model: 'gemini-2.5-pro',
    effort: 'high',
  });
  // The host says what counts.
  await expect.poll(closed).toBe('Effort');
  await panel.send({
    type: 'environment.changed',
    environment: { ...environment, models: thinking, efforts: { '*': 'low', 'gemini-2.5-pro': 'high' } },
  });
  await expect.poll(closed).toBe('High');
  expect(await effort.locator('option').first().textContent()).toBe('Same as other models: Low');
});

test('an effort that is picked before the host has changed the model is that of the picked model', async ({
  open,
}) => {
  const panel = await open(of(unpriced, { environment: { models: both } }));
  const { page } = panel;
  const effort = page.getByRole('combobox', { name: 'Effort' });
  await picker(panel).selectOption({ value: 'gemini-2.5-flash' });
  await panel.intention('model.set');
  expect(await effort.locator('option').allTextContents()).toEqual(['Default', 'Medium']);
  await effort.selectOption({ label: 'Medium' });
  expect(await panel.intention('effort.set')).toMatchObject({ model: 'gemini-2.5-flash', effort: 'medium' });
  // The palette may choose another one before: what works counts from then on.
  await panel.play(journal([{ type: 'model.changed', model: 'gemini-2.5-flash' }], 100));
  await expect.poll(() => shown(panel)).toBe('Gemini 2.5 Flash');
  await panel.play(journal([{ type: 'model.changed', model: 'gemini-2.5-pro' }], 101));
  await expect.poll(() => effort.locator('option').count()).toBe(3);
});

test('a model without steps of effort has no such choice', async ({ open }) => {
  const panel = await open(of(unpriced));
  await expect.poll(() => shown(panel)).toBe('Gemini 2.5 Pro');
  expect(await panel.page.getByRole('combobox', { name: 'Effort' }).count()).toBe(0);
});

test('a model that failed for good is asked about, with the switch as the first way on', async ({ open }) => {
  const panel = await open(of(choosing(quota)));
  await card(panel).getByText(quota.message).waitFor();
  const buttons = card(panel).locator('vscode-button');
  expect(await buttons.allTextContents()).toEqual([
    'Switch to Gemini 2.5 Flash for this sessionCtrl+⏎',
    'Try again',
    'Upgrade',
    'StopCtrl+⌫',
    'Later',
  ]);
  expect(await buttons.first().getAttribute('appearance')).toBe('primary');
  expect(await panel.page.locator('.activity').count()).toBe(0);
  // As while a call waits: what is typed is queued, and the work can be stopped.
  await panel.page.getByRole('button', { name: 'Stop (Escape)' }).waitFor();
});

test.for([
  ['Switch to Gemini 2.5 Flash for this session', 'switch'],
  ['Try again', 'retry'],
  ['Upgrade', 'upgrade'],
  ['Stop', 'stop'],
  ['Later', 'later'],
] as const)('the button %s decides', async ([name, decision], { open }) => {
  const panel = await open(of(choosing(quota)));
  await card(panel).getByText(name, { exact: true }).click();
  expect((await panel.intention('fallback.decide')).decision).toBe(decision);
  await panel.play(journal([{ type: 'model.decided', turnId: 't1', decision }], choosing(quota).length));
  await expect.poll(() => card(panel).count()).toBe(0);
});

test('where another try may help it comes first, and without a candidate nothing is switched', async ({
  open,
}) => {
  const { candidate, ...alone } = quota;
  const passing = await open(of(choosing({ ...quota, kind: 'unknown' })));
  expect(await card(passing).locator('vscode-button').allTextContents()).toEqual([
    'Try againCtrl+⏎',
    `Switch to Gemini 2.5 Flash for this session`,
    'StopCtrl+⌫',
    'Later',
  ]);
  const only = await open(of(choosing(alone)));
  expect(await card(only).locator('vscode-button').allTextContents()).toEqual([
    'Try againCtrl+⏎',
    'Upgrade',
    'StopCtrl+⌫',
    'Later',
  ]);
  expect(await card(only).locator('[appearance=primary]').textContent()).toBe('Try againCtrl+⏎');
  expect(candidate).toBe('gemini-2.5-flash');
});

test('the button that switches can be read in a narrow panel, whatever the model is called', async ({
  open,
}) => {
  for (const candidate of ['gemini-2.5-flash', 'qwen3-coder-480b-a35b-fp8']) {
    const panel = await open(of(choosing({ ...quota, candidate }), { width: 280 }));
    const fits = await card(panel)
      .locator('vscode-button')
      .evaluateAll(buttons =>
        buttons.map(button => {
          // Without room for both, the key gives way to the words.
          const words =
            button.querySelector('.ellipsis') ?? button.shadowRoot!.querySelector('[part=content]')!;
          return words.scrollHeight <= words.clientHeight && words.scrollWidth <= words.clientWidth;
        }),
      );
    expect(fits, candidate).toEqual([true, true, true, true, true]);
  }
});

test('a list of models with long names stays in a narrow window', async ({ open }) => {
  const long = models.map(each => ({ ...each, label: each.label.repeat(12) }));
  for (const width of [400, 280, 200]) {
    const panel = await open({ width, environment: { models: long }, state: fold(autoRested) });
    await openByKey(panel);
    const list = await picker(panel)
      .locator('option')
      .first()
      .evaluate(each => each.getBoundingClientRect().toJSON());
    expect(list.left).toBeGreaterThanOrEqual(0);
    expect(list.right).toBeLessThanOrEqual(width);
    const scrolled = await panel.page.evaluate(() => [
      document.documentElement.scrollWidth - window.innerWidth,
      document.body.getBoundingClientRect().left,
    ]);
    expect(scrolled, `at ${width}`).toEqual([0, 0]);
  }
});

test('in dark high contrast, where nothing has a background, the active entry of a list has a border', async ({
  open,
}) => {
  const panel = await open({ theme: 'contrast', ...of(unpriced) });
  await panel.page.evaluate(() => {
    const { style } = document.documentElement;
    style.removeProperty('--vscode-menu-selectionBackground');
    style.removeProperty('--vscode-menu-selectionForeground');
    style.setProperty('--vscode-menu-selectionBorder', '#f38518');
  });
  await openByKey(panel);
  await pressUntilActive(panel, 'Home', 'Auto');
  const views = await picker(panel)
    .locator('option')
    .evaluateAll(options =>
      options.map(option => {
        const { outlineStyle, outlineColor } = getComputedStyle(option);
        return outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineColor}`;
      }),
    );
  expect(views).toEqual(['solid rgb(243, 133, 24)', 'none', 'none', 'none']);
});

test('the keys of asks work on the choice: K walks to it, A switches, and the focus goes to the prompt', async ({
  open,
}) => {
  const panel = await open(of(choosing(quota)));
  await panel.page.getByRole('log').focus();
  await panel.page.keyboard.press('k');
  const named = await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(named).toBe(`Gemini 2.5 Pro is not available, needs your decision. ${quota.message}`);
  await panel.page.keyboard.press('a');
  expect((await panel.intention('fallback.decide')).decision).toBe('switch');
  await panel.play(
    journal([{ type: 'model.decided', turnId: 't1', decision: 'switch' }], choosing(quota).length),
  );
  await expect
    .poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Ask Folio');
});

test('a second press on another try does not decide on the next question, which looks alike', async ({
  open,
}) => {
  const panel = await open(of(choosing({ ...quota, kind: 'unknown' })));
  const { page, play, intentions } = panel;
  const decided = async () =>
    (await intentions()).flatMap(each => (each.type === 'fallback.decide' ? [each.askId] : []));
  await card(panel).getByText('Try again', { exact: true }).click();
  const pressed = await pressAsItComes(page, 'It failed again.', 'Try again');
  await play(
    journal(
      [
        { type: 'model.decided', turnId: 't1', decision: 'retry' },
        {
          type: 'model.asked',
          turnId: 't1',
          failure: { ...quota, kind: 'unknown', message: 'It failed again.', askId: 'ask-2' },
        },
      ],
      choosing(quota).length,
    ),
  );
  await pressed();
  await settled(page);
  expect(await decided()).toEqual(['ask-1']);
  await card(panel).getByText('Stop', { exact: true }).click();
  await expect.poll(decided).toEqual(['ask-1', 'ask-2']);
});

test('R stops, and a command finds the choice while the focus is elsewhere', async ({ open }) => {
  const panel = await open(of(choosing(quota)));
  await panel.page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await panel.send({ type: 'transcript.moved', move: 'reject' });
  expect((await panel.intention('fallback.decide')).decision).toBe('stop');
});

test('the choice is said once and at once, what came of it quietly', async ({ open }) => {
  const asked = choosing(quota);
  const panel = await open(of(asked.slice(0, -1)));
  expect(await said(panel, 'urgent')).toBe('');
  await panel.play(journal(asked.slice(-1), asked.length - 1));
  await expect.poll(() => said(panel, 'urgent')).toBe(`Folio asks how to continue. ${quota.message}`);
  await panel.play(journal(fellBack.slice(asked.length), asked.length));
  await expect.poll(() => said(panel, 'quiet')).toBe(`Gemini 2.5 Flash continues. ${usedUp}`);
});

test('a turn that another model answers says so, with the reason', async ({ open }) => {
  const panel = await open(of(fellBack));
  expect(await facts(panel).textContent()).toBe(`Gemini 2.5 Flash took over. ${usedUp}`);
  await panel.play(journal([stepEnded('s3', second, 0.01), restedTurn('t1')], fellBack.length));
  await expect
    .poll(() => facts(panel).locator('p').allTextContents())
    .toEqual([`Gemini 2.5 Flash took over. ${usedUp}`, '2 steps · 26k tokens · 47% cached · $0.03']);
});

test('a model that the user chose needs no word', async ({ open }) => {
  const panel = await open(of([...running, routed('t1', 'choice', 'gemini-2.5-pro')]));
  expect(await facts(panel).count()).toBe(0);
  expect(first.prompt).toBeGreaterThan(0);
});
