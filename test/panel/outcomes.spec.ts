import { expect } from 'vitest';
import { fold } from './journal.ts';
import { gap, outcomes } from './outcomeScenes.ts';
import { test } from './suite.ts';

test('why a call did not do its work is read whole at any width', async ({ open }) => {
  const { page } = await open({ width: 300, state: fold(outcomes) });
  const reasons = [
    'Denied: Once is enough, and it was yesterday.',
    'Blocked by a hook: packages are published by the release pipeline only.',
    'Stopped',
    'File not found in the workspace',
    'Exit code 1',
    'In the sandbox, which did not allow it to write to /opt/releases',
  ];
  for (const reason of reasons) {
    const line = page.getByText(reason, { exact: true });
    await line.waitFor();
    expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }
});

test('an edit that the file has already is no failure to the user', async ({ open }) => {
  const { page } = await open({
    width: 292,
    state: fold(outcomes),
    environment: { foldFinishedChapters: false },
  });
  const row = page.locator('.call', { hasText: 'Write packages' });
  expect(await row.getAttribute('aria-label')).toBe('Write packages/release/notes/2026-11-21.md, No change');
  expect(await row.locator('.codicon-error').count()).toBe(0);
  await row.getByText('No change', { exact: true }).waitFor();
});

test('what a rewind does not cover is said once in a chapter', async ({ open }) => {
  const { page } = await open({ state: fold(outcomes), environment: { foldFinishedChapters: false } });
  await page.getByText(gap).first().waitFor();
  const reported = await page
    .locator('.call', { hasText: gap })
    .evaluateAll(cards => cards.map(card => card.querySelector('.row-title')?.textContent));
  expect(reported).toEqual(['Run npm run build', 'Run git tag v1']);
});

test('the command that runs stays in one line with its time', async ({ open }) => {
  const { page } = await open({ width: 300, state: fold(outcomes) });
  await page.locator('.activity-time').waitFor();
  const heights = await page
    .locator('.activity > span')
    .evaluateAll(parts => parts.map(part => part.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(30);
});
