import { expect } from 'vitest';
import { test } from './support/suite.ts';

test('the view opens and shows its first text, with nothing refused by its content security policy', async ({
  open,
  makeFolder,
}) => {
  const window = await open({ folder: await makeFolder({ 'notes.md': '# Notes\n' }) });

  expect((await window.evaluate('readExtension', 'folio.folio')).isActive).toBe(false);
  const panel = await window.openPanel();
  await panel.getByRole('textbox').first().waitFor();
  expect(await panel.locator('body').textContent()).toMatch(/\S/);
  expect((await window.evaluate('readExtension', 'folio.folio')).isActive).toBe(true);

  for (const theme of ['light', 'contrast', 'contrastLight', 'dark'] as const) {
    await window.setTheme(theme);
    await window.screenshot(`first-text-${theme}`);
  }
  expect(window.cspTroubles).toEqual([]);
});
