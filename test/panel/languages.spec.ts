import { expect } from 'vitest';
import { readCatalog } from '../../scripts/l10n/readCatalog.ts';
import { fold } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { rested } from './scenario.ts';
import { showScene, sidewaysOverflow } from './scenes/scene.ts';
import { isInShare, scenes } from './scenes/scenes.ts';
import { test } from './suite.ts';

test('the page speaks German, with its numbers, and says so to a screen reader', async ({ open }) => {
  const panel = await open({ state: fold(rested), language: 'de' });
  const { page } = panel;
  await page.getByRole('textbox', { name: 'Folio fragen' }).waitFor();
  await page.getByRole('combobox', { name: 'Genehmigungsmodus' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.locator('main').textContent()).toContain('9,8k Token · 33% im Cache');
  expect(await panel.problems()).toEqual([]);
});

test('while Folio works the field names the keys that steer', async ({ open }) => {
  const running = scenes.find(({ name }) => name === 'running')!;
  const { page } = await showScene(running, open, { language: 'de', width: 400 });
  await page.getByPlaceholder(/^Folgeprompt hinzufügen… {2}(?:Ctrl\+|⌘)Enter sendet ihn jetzt$/).waitFor();
});

test('the mode is read whole in every language, and so is the time of the work', async ({ open }) => {
  const alone = scenes.find(({ name }) => name === 'acting-alone')!;
  for (const language of ['en', 'de', 'zh-cn', 'pseudo'] as const) {
    const { page } = await showScene(alone, open, { language, width: 280 });
    const whole = await page.evaluate(() => {
      const [mode] = document.querySelectorAll('.composer-bar select .ellipsis');
      const time = document.querySelector('.activity-time > span');
      const row = time?.parentElement?.getBoundingClientRect();
      return [
        mode !== undefined && mode.scrollWidth <= mode.clientWidth,
        row !== undefined && time!.getBoundingClientRect().right <= row.right + 0.5,
      ];
    });
    expect(whole, language).toEqual([true, true]);
  }
});

test('the page speaks Chinese', async ({ open }) => {
  const panel = await open({ state: fold(rested), language: 'zh-cn' });
  const { page } = panel;
  await page.getByRole('textbox', { name: '询问 Folio' }).waitFor();
  await page.getByRole('combobox', { name: '审批模式' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-cn');
  expect(await panel.problems()).toEqual([]);
});

test('no state of the panel breaks, or stays English, with longer words at its narrowest', async ({
  open,
}) => {
  const english = new Set(Object.values(await readCatalog('l10n/page.json')));
  const wrong: string[] = [];
  for (const [index, scene] of [...different.values()].entries()) {
    if (!isInShare(index, 'translated')) continue;
    const panel = await showScene(scene, open, { width: 280, language: 'pseudo' });
    const overflow = await sidewaysOverflow(panel);
    if (overflow > 0) wrong.push(`${scene.name} reaches out by ${overflow} pixels`);
    const left = (await textsOf(panel)).filter(text => english.has(text));
    if (left.length > 0) wrong.push(`${scene.name} says in English: ${left.join(', ')}`);
    await panel.close();
  }
  expect(wrong).toEqual([]);
}, 600_000);

/** Without those that only a press in English tells apart: they look the same here. */
const different = new Map(
  scenes.map(scene => {
    const { name, events, options, actAnywhere } = scene;
    return [JSON.stringify([events, options, actAnywhere && name]), scene];
  }),
);

/** What can be read or is read out. */
function textsOf({ page }: PanelPage): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // The title of a call, which the host writes, lies in several nodes where its path is set apart.
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement?.matches('.diff-head')) continue;
      texts.push((node.parentElement?.closest('.middle-cut') ?? node).textContent?.trim() ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder'])
      for (const element of document.querySelectorAll(`[${name}]`))
        texts.push(element.getAttribute(name) ?? '');
    return texts.filter(text => text !== '');
  });
}
