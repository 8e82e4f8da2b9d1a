/* Calls of the browser with pictures of the page: one that came, one on its way, and one that is gone. */

import type { SessionEventBody } from '../../src/protocol/events.ts';
import { end, prompt, request, started, step, text } from './journal.ts';

const page = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="800" font-family="sans-serif">
<rect width="1280" height="800" fill="#fff"/><rect width="1280" height="96" fill="#234"/>
<text x="48" y="64" font-size="40" fill="#fff">Shop</text><text x="48" y="200" font-size="56" fill="#222">New order</text>
<rect x="48" y="260" width="600" height="72" fill="#fff" stroke="#888"/><rect x="48" y="380" width="200" height="72" fill="#276"/>
<text x="104" y="430" font-size="36" fill="#fff">Save</text></svg>`;

/** Stands for a page. */
export const pageAddress = `data:image/svg+xml,${encodeURIComponent(page)}`;

export const pictureOfPage = { mimeType: 'image/svg+xml', data: Buffer.from(page).toString('base64') };

function visit(
  id: string,
  tool: string,
  title: string,
  size: readonly [number, number],
  more: { readonly ofTab?: true } = {},
): SessionEventBody[] {
  const [width, height] = size;
  const picture = { path: `/sessions/session-1/outputs/${tool}-${id}.jpg`, width, height, ...more };
  return [
    request({ id, tool, title, effect: tool === 'browser_open' ? 'fetch' : 'run' }),
    { type: 'call.started', callId: id },
    end(id, 'Page changed', {
      display: {
        summary: 'Page changed',
        picture,
        detail: { kind: 'text', text: 'Page: Shop (http://localhost:3000/)' },
      },
    }),
  ];
}

export const browsed: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Check the order form at 400 pixels, too'),
  step('s1', 1),
  ...visit('open', 'browser_open', 'Open http://localhost:3000/orders/new?from=overview', [1280, 800]),
  ...visit('do', 'browser_do', 'Take 3 steps on the page', [1280, 800]),
  ...visit('small', 'browser_open', 'Open http://localhost:3000/', [400, 800]),
  text('s1', 'The form works at both widths.'),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];

export const sharedTab: readonly SessionEventBody[] = [
  started,
  prompt('t1', 'Why is the last order not shown? Look at my tab'),
  step('s1', 1),
  ...visit('look', 'browser_look', 'Your tab: look at Orders of this month', [1280, 800], { ofTab: true }),
  text('s1', 'The list is filtered by a date that has passed.'),
  { type: 'turn.ended', turnId: 't1', end: { kind: 'rested' } },
];
