/* What answers hold beside words. */

import { charts, diagrams, moreDiagrams } from '../figureScenes.ts';
import type { PanelPage } from '../panelPage.ts';
import type { Scene } from './scene.ts';

async function drawn({ page }: PanelPage): Promise<void> {
  await page.locator('.figure-view svg').first().waitFor();
}

export const answerScenes: readonly Scene[] = [
  { name: 'diagrams', events: diagrams, actAnywhere: drawn },
  {
    name: 'diagram-large',
    events: diagrams,
    actAnywhere: async panel => {
      await drawn(panel);
      // Those beyond the view of a small panel are not drawn yet, and cannot be opened.
      await panel.page.locator('.figure:has(.figure-view svg) .figure-actions button').first().click();
      await panel.page.locator('.figure-room svg').waitFor();
    },
  },
  { name: 'diagrams-more', events: moreDiagrams, actAnywhere: drawn },
  { name: 'charts', events: charts, actAnywhere: drawn },
];
