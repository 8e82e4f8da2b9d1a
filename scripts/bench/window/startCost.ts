import type { Workbench } from '../../../test/workbench/support/workbench.ts';
import { type BenchPanel, openByKey } from './panels.ts';

/** Activation times of VS Code, in milliseconds. */
export interface ActivationCost {
  readonly load: number;
  /** Until `activate` has resolved. */
  readonly activate: number;
}

/** Returns the milliseconds that VS Code's start spends on contributions of extensions. */
export function readContributionCost({ page }: Workbench): Promise<number> {
  return page.evaluate(() => {
    const marks = performance.getEntriesByType('mark');
    const before = 'code/willHandleExtensionPoint/';
    const points = marks.filter(({ name }) => name.startsWith(before));
    return points.reduce((sum, { name, startTime }) => {
      const after = `code/didHandleExtensionPoint/${name.slice(before.length)}`;
      const end = marks.find(mark => mark.name === after && mark.startTime >= startTime);
      return end ? sum + end.startTime - startTime : sum;
    }, 0);
  });
}

/** Activates the extension by its panel and reads "Developer: Startup Performance". */
export async function readActivationCost(window: Workbench, panel: BenchPanel): Promise<ActivationCost> {
  await openByKey(window, panel);
  // VS Code provides the text only after its editor was opened.
  await window.evaluate('executeCommand', 'perfview.show');
  await window.page.locator('.editor-instance .view-line').first().waitFor();
  const text = String(await window.evaluate('executeCommand', 'bare.read', 'Startup Performance'));
  await window.evaluate('executeCommand', 'workbench.action.closeAllEditors');
  const row = text.split('\n').find(line => line.startsWith(`| ${panel.extension} `));
  if (row === undefined) throw new Error(`${panel.extension} was not activated.`);
  const [load, call, finish] = row
    .split('|')
    .slice(3, 6)
    .map(cell => Number(cell.trim()));
  return { load: load!, activate: call! + finish! };
}
