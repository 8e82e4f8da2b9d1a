/* The tab in which the user has the page of the agent's browser. */

import type { PageFrame, ToPageTab } from '../../../src/protocol/panel/pageTab.ts';
import { fallSilent, type PanelPage } from '../panelPage.ts';
import type { Scene } from './scene.ts';

/** A page as its browser pictures it: drawn here, since a picture with words would be a file of 20 KB. */
export function pictureOf({ page }: PanelPage, heading: string): Promise<PageFrame> {
  return page.evaluate(words => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 800 });
    const pen = canvas.getContext('2d')!;
    const fill = (colour: string, ...[x, y, width, height]: readonly [number, number, number, number]) => {
      pen.fillStyle = colour;
      pen.fillRect(x, y, width, height);
    };
    fill('#fff', 0, 0, 1280, 800);
    fill('#234', 0, 0, 1280, 96);
    fill('#888', 48, 260, 600, 72);
    fill('#fff', 50, 262, 596, 68);
    fill('#276', 48, 380, 200, 72);
    pen.font = '40px sans-serif';
    for (const [text, colour, x, y] of [
      ['Shop', '#fff', 48, 64],
      [words, '#222', 48, 200],
      ['Sign in', '#fff', 76, 430],
    ] as const) {
      pen.fillStyle = colour;
      pen.fillText(text, x, y);
    }
    const data = canvas.toDataURL('image/jpeg').split(',')[1]!;
    return { data, width: 1280, height: 800, address: 'https://accounts.shop.example/sign-in?from=orders' };
  }, heading);
}

async function show(panel: PanelPage, ...more: readonly ToPageTab[]): Promise<void> {
  await panel.send({ type: 'frame', ...(await pictureOf(panel, 'Sign in to order')) }, ...more);
}

export const pageTabScenes: readonly Scene[] = [
  { name: 'page-waiting', options: { shows: 'page' } },
  { name: 'page-shown', options: { shows: 'page' }, actAnywhere: show },
  {
    name: 'page-closed',
    options: { shows: 'page' },
    actAnywhere: panel => show(panel, { type: 'lost', lost: 'page' }),
  },
  {
    name: 'page-browser-ended',
    options: { shows: 'page' },
    actAnywhere: panel => show(panel, { type: 'lost', lost: 'browser' }),
  },
  {
    name: 'page-disconnected',
    options: { shows: 'page' },
    actAnywhere: async panel => {
      await show(panel);
      await fallSilent(panel.page);
    },
  },
];
