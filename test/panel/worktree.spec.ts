import { expect } from 'vitest';
import { fold, journal } from './journal.ts';
import { noLongerReviewed } from './reviewScenes.ts';
import { changeScenes } from './scenes/changes.ts';
import { test } from './suite.ts';

const stateOf = (scene: string) => fold(changeScenes.find(({ name }) => name === scene)!.events ?? []);
const button = { name: 'Bring Home' } as const;

test('the worktree of a session is named, and its changes are listed and brought home', async ({ open }) => {
  const panel = await open({ state: stateOf('worktree') });
  const strip = panel.page.getByText('invoices-in-euros-and-pounds');
  expect(await strip.getAttribute('title')).toContain('/.folio/worktrees/');
  await panel.page.getByRole('button', { name: 'Changes', exact: true }).click();
  await panel.intention('worktree.listChanges');
  await panel.page.getByRole('button', button).click();
  await panel.intention('worktree.bringHome');
});

test('a conflict can be left to the agent', async ({ open }) => {
  const panel = await open({ state: stateOf('worktree-conflict') });
  await panel.page.getByText('2 conflicts').waitFor();
  await panel.page.getByRole('button', { name: 'Let the Agent Merge' }).click();
  await panel.intention('worktree.update');
});

test('once nothing would be lost, the worktree can be removed', async ({ open }) => {
  const panel = await open({ state: stateOf('worktree-done') });
  await panel.page.getByText('nothing would be lost').waitFor();
  expect(await panel.page.getByRole('button', button).count()).toBe(0);
  await panel.page.getByRole('button', { name: 'Remove Worktree' }).click();
  await panel.intention('worktree.remove');
});

test('the button that brought changes home does not become the one that removes the worktree', async ({
  open,
}) => {
  const before = stateOf('worktree');
  const panel = await open({ state: before });
  await panel.page.getByRole('button', button).press('Enter');
  await panel.intention('worktree.bringHome');
  const settled = { type: 'worktree.settled', left: 0, conflicts: 0 } as const;
  await panel.play(journal([settled], before.seq + 1));
  await panel.page.getByRole('button', { name: 'Remove Worktree' }).waitFor();
  await panel.page.keyboard.type('x');
  await expect.poll(() => panel.page.getByRole('textbox', { name: 'Ask Folio' }).inputValue()).toBe('x');
});

test('no other strip moves under the pointer that accepted all changes', async ({ open }) => {
  const before = stateOf('worktree-done');
  const panel = await open({ state: before, width: 300 });
  const remove = panel.page.getByRole('button', { name: 'Remove Worktree' });
  const at = await remove.boundingBox();
  const placeThen = remove.evaluate(
    button =>
      new Promise<number>(resolve => {
        new MutationObserver(() => {
          if (!document.querySelector('[aria-label="Changes to review"]'))
            resolve(button.getBoundingClientRect().y);
        }).observe(document.querySelector('.strips')!, { childList: true, subtree: true });
      }),
  );
  await panel.page.getByRole('button', { name: 'Accept all changes' }).click();
  await panel.intention('review.accept');
  await panel.play(journal(before.reviews.map(noLongerReviewed), before.seq + 1));
  expect(await placeThen).toBe(at!.y);
  // The space is given back, even if the pointer stays.
  await expect.poll(async () => (await remove.boundingBox())!.y).toBeGreaterThan(at!.y);
});

test('a strip that has just moved takes no press', async ({ open }) => {
  const before = stateOf('worktree-done');
  const panel = await open({ state: before, width: 300 });
  const remove = panel.page.getByRole('button', { name: 'Remove Worktree' });
  await remove.click({ trial: true });
  const held = panel.page.evaluate(
    () =>
      new Promise<string>(resolve => {
        const area = document.querySelector('.strips')!;
        new MutationObserver(() => {
          if (area.classList.contains('held'))
            resolve(getComputedStyle(area.querySelector('.strip-worktree')!).pointerEvents);
        }).observe(area, { attributeFilter: ['class'] });
      }),
  );
  await panel.play(journal(before.reviews.map(noLongerReviewed), before.seq + 1));
  expect(await held).toBe('none');
  await remove.click();
  await panel.intention('worktree.remove');
});

test('a session in a container says where its commands run, and leaves it', async ({ open }) => {
  const panel = await open({ state: stateOf('container'), width: 280 });
  const strip = panel.page.getByText('/workspaces/shop-with-a-name-that-fills-the-line');
  await strip.waitFor();
  await panel.page.getByRole('button', { name: 'Leave Container' }).click();
  await panel.intention('container.leave');
});

test('a long name is read whole in a narrow panel', async ({ open }) => {
  const panel = await open({ state: stateOf('worktree'), width: 300 });
  const isCut = await panel.page
    .getByText('invoices-in-euros-and-pounds')
    .evaluate(name => name.scrollWidth > name.clientWidth);
  expect(isCut).toBe(false);
});
