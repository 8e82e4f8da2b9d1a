import { expect } from 'vitest';
import { runSize } from '../support/runSize.ts';
import { themeNames } from '../support/themes.ts';
import type { PanelPage } from './panelPage.ts';
import { showScene, sidewaysOverflow } from './scenes/scene.ts';
import { isInShare, scenes } from './scenes/scenes.ts';
import { hiddenControls, zoomed, zoomProblems } from './scenes/zoom.ts';
import { test } from './suite.ts';

/** The narrowest that VS Code allows, and what people have; the colours are classified at the last. */
const widths = [280, 320, 340, 400, 700].slice(0, runSize({ test: 3, prove: 5 }));
/** A scene is seen in one theme, its adjacent entries in the others; the proof shows each in all. */
const themesOf = (index: number) =>
  [...themeNames, ...themeNames].slice(index % 4, (index % 4) + runSize({ test: 1, prove: 4 }));
const cases = scenes
  .flatMap((scene, index) => themesOf(index).map(theme => ({ name: scene.name, theme, scene })))
  .filter((_, index) => isInShare(index, 'own'));

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

interface Axe {
  run(options: { readonly resultTypes: readonly ['violations'] }): Promise<AxeResults>;
}

/** Axe comes from the server: to send its 650 KB again for each scene took 0.1 s. Only what is wrong comes back. */
function violations({ page }: PanelPage): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const script = document.createElement('script');
    script.src = '/axe.js';
    const loaded = new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
    });
    document.head.append(script);
    await loaded;
    const { axe } = window as unknown as { readonly axe: Axe };
    const found = await axe.run({ resultTypes: ['violations'] });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
  });
}

test.for(cases)(
  '$name in the theme $theme fits, at 200 % too, and axe finds nothing to object to',
  async (each, { open }) => {
    const { scene, theme } = each;
    const panel = await showScene(scene, open, { theme, width: widths[0] });
    for (const width of widths) {
      await panel.page.setViewportSize({ width, height: 760 });
      expect(await sidewaysOverflow(panel), `at ${width} pixels`).toBeLessThanOrEqual(0);
    }
    expect(await violations(panel)).toEqual([]);
    expect(await panel.problems()).toEqual([]);
    expect(await zoomProblems(panel, () => showScene(scene, open, zoomed))).toEqual([]);
  },
);

test('every scene has a name of its own', () => {
  expect(new Set(scenes.map(({ name }) => name)).size).toBe(scenes.length);
});

test('a control that is cut or covered is found', async ({ open }) => {
  const panel = await open(zoomed);
  await panel.page.evaluate(() => {
    const cut = document.createElement('button');
    cut.textContent = 'Reaches out';
    cut.style.cssText = 'position:fixed;left:150px;top:0;width:100px;height:20px';
    const under = document.createElement('button');
    under.textContent = 'Lies under';
    under.style.cssText = 'position:fixed;left:0;top:40px;width:100px;height:20px';
    const over = document.createElement('div');
    over.style.cssText = 'position:fixed;left:0;top:40px;width:100px;height:20px';
    document.body.append(cut, under, over);
  });
  expect(await hiddenControls(panel)).toEqual([
    expect.stringContaining('Reaches out'),
    expect.stringContaining('Lies under'),
  ]);
});
