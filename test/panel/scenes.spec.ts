import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { dose } from '../support/dose.ts';
import { themeNames } from '../support/themes.ts';
import type { PanelPage } from './panelPage.ts';
import { showScene, sidewaysOverflow } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';
import { test } from './suite.ts';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The narrowest that VS Code allows, and what people have; the colours are judged at the last. */
const widths = [280, 320, 340, 400, 700].slice(0, dose({ test: 3, prove: 5 }));
/** A scene is seen in one theme, its neighbours in the others; the proof shows each in all. */
const themesOf = (index: number) =>
  [...themeNames, ...themeNames].slice(index % 4, (index % 4) + dose({ test: 1, prove: 4 }));
const cases = scenes.flatMap((scene, index) =>
  themesOf(index).map(theme => ({ name: scene.name, theme, scene })),
);

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function violations({ page }: PanelPage): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  );
}

test.for(cases)(
  '$name in the theme $theme fits, and axe finds nothing to object to',
  async (each, { open }) => {
    const { scene, theme } = each;
    const panel = await showScene(scene, open, { theme, width: widths[0] });
    for (const width of widths) {
      await panel.page.setViewportSize({ width, height: 760 });
      expect(await sidewaysOverflow(panel), `at ${width} pixels`).toBeLessThanOrEqual(0);
    }
    expect(await violations(panel)).toEqual([]);
    expect(await panel.troubles()).toEqual([]);
  },
);

test('every scene has a name of its own', () => {
  expect(new Set(scenes.map(({ name }) => name)).size).toBe(scenes.length);
});
