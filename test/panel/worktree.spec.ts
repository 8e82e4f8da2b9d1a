import { expect } from 'vitest';
import { fold } from './journal.ts';
import { changeScenes } from './scenes/changes.ts';
import { test } from './suite.ts';

test('the worktree of a session is named, and its changes are listed and brought home', async ({ open }) => {
  const { events = [] } = changeScenes.find(({ name }) => name === 'worktree')!;
  const panel = await open({ state: fold(events) });
  const strip = panel.page.getByText('Worktree invoices-in-euros-and-pounds');
  expect(await strip.getAttribute('title')).toContain('/.folio/worktrees/');
  await panel.page.getByRole('button', { name: 'Changes', exact: true }).click();
  await panel.intention('worktree.listChanges');
  await panel.page.getByRole('button', { name: 'Bring Home' }).click();
  await panel.intention('worktree.bringHome');
});
