/* The ways to a model, and each step on them. */

import { reported, steps } from '../connectScenes.ts';
import type { PanelPage } from '../panelPage.ts';
import { rested } from '../scenario.ts';
import type { Scene } from './scene.ts';

const none = { environment: { connection: 'none' } } as const;

export const connectScenes: readonly Scene[] = [
  { name: 'connect', options: none, actAnywhere: ({ send }) => send(reported()) },
  {
    name: 'connect-page',
    events: rested,
    options: none,
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Connect a model' }).click();
      await page.getByRole('heading', { name: 'Connect a model', level: 1 }).waitFor();
    },
  },
  {
    name: 'connect-keyProblem',
    events: rested,
    options: {
      environment: {
        keyProblem:
          'Gemini rejected this API key. Copy the full key from aistudio.google.com/apikey, and try again.',
      },
    },
  },
  ...Object.entries(steps).map(([name, step]) => ({
    name: `connect-${name}`,
    options: none,
    actAnywhere: async ({ page, send }: PanelPage) => {
      await send(reported(step));
      await page.locator('.way-step').waitFor();
    },
  })),
];
