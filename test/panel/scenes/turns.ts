/* A turn at work and at its end, who answers it, and the agents that work for it. */

import { agentAsks, agentsEnded, agentsWork } from '../agentScenes.ts';
import { browsed, pageAddress, sharedTab } from '../browserScenes.ts';
import { hooked } from '../controlScenes.ts';
import { rightToLeft } from '../directionScenes.ts';
import { autoRested, autoWorking, choosing, fellBack, models, quota } from '../modelScenes.ts';
import { leftWaiting } from '../outcomeScenes.ts';
import { asking, brokenSettings, failed, noNetwork, rested, running } from '../scenario.ts';
import { scriptAsks, scriptEnded, scriptFailed } from '../scriptScenes.ts';
import type { Scene } from './scene.ts';

const unfold = (...cards: readonly string[]) => ({
  sessionId: 'session-1',
  cards: Object.fromEntries(cards.map(card => [card, true])),
});
const priced = { environment: { models } };

export const turnScenes: readonly Scene[] = [
  { name: 'first-run', options: { environment: { connection: 'none', activeFile: undefined } } },
  { name: 'empty', options: { environment: { connection: 'rehearsal', trusted: false } } },
  { name: 'running', events: running },
  { name: 'left-waiting', events: leftWaiting },
  { name: 'failed', events: failed },
  { name: 'no-network', events: noNetwork },
  { name: 'settings-broken', events: brokenSettings },
  { name: 'rested', events: rested },
  {
    name: 'right-to-left',
    events: rightToLeft,
    act: ({ page }) => page.getByRole('textbox', { name: 'Ask Folio' }).fill('ומה עם `npm run lint`?'),
  },
  {
    name: 'top',
    events: asking,
    act: async ({ page }) => {
      await page.locator('[data-chapter-heading]').nth(1).click();
      await page.getByText('1 of 3 to-dos').click();
      await page.getByRole('log').evaluate(log => {
        log.scrollTop = 0;
      });
    },
  },
  {
    name: 'browser',
    events: browsed,
    actAnywhere: async ({ send }) => {
      await send(
        { type: 'picture.told', callId: 'open', address: pageAddress },
        { type: 'picture.told', callId: 'small', isOpen: true },
      );
    },
  },
  {
    name: 'browser-shared-tab',
    events: sharedTab,
    actAnywhere: ({ send }) =>
      send({ type: 'picture.told', callId: 'look', address: pageAddress, isOpen: true }),
  },
  { name: 'hooks', events: hooked, options: { memory: unfold('hooks-h0', 'h5') } },
  { name: 'agents', events: agentsWork },
  { name: 'agents-ask', events: agentAsks },
  { name: 'agents-ask-unfolded', events: agentAsks, options: { memory: unfold('i1') } },
  { name: 'agents-ended', events: agentsEnded },
  { name: 'agents-ended-unfolded', events: agentsEnded, options: { memory: unfold('i1', 'i2') } },
  { name: 'script-asks', events: scriptAsks },
  { name: 'script-ended', events: scriptEnded },
  { name: 'script-ended-unfolded', events: scriptEnded, options: { memory: unfold('q') } },
  { name: 'script-failed', events: scriptFailed },
  { name: 'models-choosing', events: choosing(quota), options: priced },
  {
    name: 'models-choosing-unknown',
    events: choosing({ ...quota, kind: 'unknown', candidate: 'qwen3-coder-480b-a35b-instruct-fp8' }),
    options: priced,
  },
  { name: 'models-fallback', events: fellBack, options: priced },
  { name: 'models-working', events: autoWorking, options: priced },
  {
    name: 'models-auto',
    events: autoRested,
    options: priced,
    act: async ({ page }) => {
      await page.getByRole('combobox', { name: 'Model' }).click();
    },
  },
  {
    name: 'models-tokens',
    events: autoRested,
    options: priced,
    act: async ({ page }) => {
      await page.getByRole('button', { name: /Show the breakdown/ }).click();
    },
  },
];
