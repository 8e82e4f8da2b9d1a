import { expect } from 'vitest';
import { fold } from './journal.ts';
import { changeScenes } from './scenes/changes.ts';
import { test } from './suite.ts';

const stateOf = (scene: string) => fold(changeScenes.find(({ name }) => name === scene)!.events ?? []);

test('a server that runs is opened, started again, kept and stopped from its line', async ({ open }) => {
  const panel = await open({ state: stateOf('program'), width: 300 });
  const line = panel.page.getByRole('region', { name: 'npm run dev' });
  const actions = {
    'localhost:5173': 'open',
    'Show output': 'showOutput',
    'Keep running when the window closes': 'keep',
    Restart: 'restart',
    Stop: 'stop',
  };
  for (const [name, action] of Object.entries(actions)) {
    const button = line.getByRole('button', { name });
    await button.focus();
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(async () => (await panel.intentions()).at(-1))
      .toEqual({ type: 'program.act', callId: 'p1', action });
  }
});

test('several fold under a line, and one that has ended says how', async ({ open }) => {
  const panel = await open({ state: stateOf('programs') });
  await panel.page.getByText('2 programs run').waitFor();
  const ended = panel.page.getByRole('region', { name: 'python3 -m http.server' });
  expect(await ended.textContent()).toContain('ended: 1 · 1 error');
  await ended.getByRole('button', { name: 'Remove from the list' }).click();
  expect(await panel.intention('program.act')).toMatchObject({ callId: 'p3', action: 'forget' });
  await panel.page.getByRole('button', { name: '2 programs run' }).click();
  await expect.poll(() => ended.count()).toBe(0);
});
