import { expect } from 'vitest';
import { askingDangerous, askingInBackground, askingInteractive } from './askScenes.ts';
import { fold, journal } from './journal.ts';
import { leftWaiting } from './outcomeScenes.ts';
import { settled } from './panelPage.ts';
import { asking, running } from './scenario.ts';
import { test } from './suite.ts';

test('the user chooses by keyboard that they answer a command, which is allowed this once', async ({
  open,
}) => {
  const { page, intention } = await open({ state: fold(asking) });
  const answer = page.getByRole('button', { name: 'Run in terminal' });
  await settled(page);
  await answer.focus();
  await page.keyboard.press('Enter');
  expect(await intention('call.decide')).toEqual({
    type: 'call.decide',
    callId: 'run2',
    askId: 'ask-run2',
    decision: { kind: 'interactive' },
  });
});

test('what the choice means stands on the button, and a dangerous command is answered anyway or not', async ({
  open,
}) => {
  const { page } = await open({ state: fold(askingDangerous) });
  const answer = page.locator('vscode-button', { hasText: 'Run in terminal anyway' });
  await answer.waitFor();
  expect(await answer.evaluate(each => (each as HTMLElement).title)).toBe(
    'Runs it this once in a terminal, where you answer what it asks (Ctrl+Alt+⏎)',
  );
});

test('a key runs in the terminal what may run there, and decides nothing else', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(asking) });
  await page.locator('[data-ask]:not([aria-disabled])').waitFor();
  const button = page.locator('vscode-button', { hasText: 'Run in terminal' });
  expect(await button.getAttribute('title')).toMatch(/\(Ctrl\+Alt\+⏎\)$/);
  expect(await button.getAttribute('aria-keyshortcuts')).toBe('Control+Alt+Enter');
  await send({ type: 'transcript.moved', move: 'terminal' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'interactive' });

  const other = await open({ state: fold(askingInBackground) });
  await other.page.locator('[data-ask]:not([aria-disabled])').waitFor();
  await other.send({ type: 'transcript.moved', move: 'terminal' });
  expect((await other.intentions()).map(each => each.type)).not.toContain('call.decide');
});

test('there is no choice in the background, nor where the model wants the command answered, which is said', async ({
  open,
}) => {
  const { page, show } = await open({ state: fold(askingInBackground) });
  await page.getByText('stays in the background').waitFor();
  expect(await page.getByRole('button', { name: /Run in terminal/ }).count()).toBe(0);
  await show(fold(askingInteractive));
  await page.getByText('in a terminal, where you answer it').waitFor();
  expect(await page.getByRole('button', { name: /Run in terminal/ }).count()).toBe(0);
});

test('on the card of one that runs, a press has it run again in a terminal, and the choice goes', async ({
  open,
}) => {
  const { page, play, intention } = await open({ state: fold(running) });
  const again = page.getByRole('button', { name: 'Restart in terminal: Run npm test' });
  expect(await again.getAttribute('title')).toContain('It starts over.');
  await again.focus();
  await page.keyboard.press('Enter');
  expect(await intention('command.restart')).toEqual({ type: 'command.restart', callId: 'run2' });
  await play(journal([{ type: 'call.started', callId: 'run2' }], running.length));
  await again.waitFor({ state: 'detached' });
});

test('at 280 pixels every way to decide is whole and inside', async ({ open }) => {
  const { page } = await open({ state: fold(asking), width: 280 });
  await page.getByRole('button', { name: 'Run in terminal' }).waitFor();
  const buttons = page.locator('.ask .buttons vscode-button');
  for (const box of await buttons.evaluateAll(all =>
    all.map(each => each.getBoundingClientRect().toJSON()),
  )) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(280);
    expect(box.height).toBeGreaterThan(15);
  }
});

test('while a command waits for input the bottom row says that it waits for the user', async ({ open }) => {
  const at = leftWaiting.findIndex(({ type }) => type === 'call.waited') + 1;
  const { page, play } = await open({ state: fold(leftWaiting.slice(0, at)) });
  const row = page.locator('.activity-text');
  await expect.poll(() => row.textContent()).toBe('Waiting for you');
  const over = [...leftWaiting.slice(0, at), { type: 'call.waited', callId: 'init', waits: false }] as const;
  await play(journal(over).slice(at));
  await expect.poll(() => row.textContent()).toBe('Working');
});

test('commands that came back to the model as waiting have a button each, until they are answered', async ({
  open,
}) => {
  const { page, play, intention, intentions } = await open({ state: fold(leftWaiting) });
  await page.getByRole('button', { name: 'Answer in the terminal: Run npm init' }).press('Enter');
  expect(await intention('command.answer')).toEqual({ type: 'command.answer', callId: 'init' });
  await page.getByRole('button', { name: 'Answer in the terminal: Answer process 12: yes' }).press('Enter');
  await expect
    .poll(async () =>
      (await intentions()).flatMap(each => (each.type === 'command.answer' ? [each.callId] : [])),
    )
    .toEqual(['init', 'add']);
  const over = [...leftWaiting, { type: 'call.waited', callId: 'init', waits: false }] as const;
  await play(journal(over).slice(leftWaiting.length));
  await expect.poll(() => page.getByRole('alert').filter({ hasText: 'Waits for you' }).count()).toBe(1);
});
