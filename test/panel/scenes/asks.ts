/* Where the agent waits for the user, and what is left of it afterwards. */

import {
  actingAlone,
  answered,
  askingConnect,
  askingDangerous,
  askingEachTime,
  askingGrant,
  askingInteractive,
  askingLasting,
  askingMode,
  askingPlan,
  askingQuestions,
  askingRead,
  classified,
  decidedBefore,
} from '../askScenes.ts';
import { looping, overMoney, unseenHooks } from '../controlScenes.ts';
import { manyUnseen, unseen } from '../customScenes.ts';
import { outcomes } from '../outcomeScenes.ts';
import { askingHunks, askingLongLines } from '../reviewScenes.ts';
import { asking, askingEdit, rested } from '../scenario.ts';
import type { Scene } from './scene.ts';

export const askScenes: readonly Scene[] = [
  { name: 'ask', events: asking },
  { name: 'ask-edit', events: askingEdit },
  { name: 'ask-edit-long', events: askingLongLines },
  { name: 'ask-danger', events: askingDangerous },
  { name: 'ask-lasting', events: askingLasting },
  { name: 'ask-each-time', events: askingEachTime },
  { name: 'ask-grant', events: askingGrant },
  { name: 'ask-connect', events: askingConnect },
  { name: 'ask-judged', events: classified },
  { name: 'ask-interactive', events: askingInteractive },
  { name: 'ask-protected', events: askingRead },
  { name: 'ask-mode', events: askingMode },
  { name: 'ask-form', events: askingQuestions() },
  {
    name: 'ask-form-other',
    events: askingQuestions(),
    options: {
      memory: {
        sessionId: 'session-1',
        answers: { asked: [{ taken: [], words: 'By a setting', isOther: true }] },
      },
    },
  },
  { name: 'ask-form-answered', events: answered },
  { name: 'ask-plan', events: askingPlan },
  { name: 'ask-plan-approved', events: decidedBefore.plan },
  { name: 'ask-form-before', events: decidedBefore.answers },
  {
    name: 'ask-hunks',
    events: askingHunks,
    act: async ({ page }) => {
      await page.getByRole('checkbox').nth(1).click();
    },
  },
  {
    name: 'denying',
    events: askingEdit,
    act: async ({ page }) => {
      await page.getByRole('log').focus();
      await page.keyboard.press('k');
      await page.keyboard.press('r');
      await page.getByRole('textbox', { name: /Reason/ }).waitFor();
    },
  },
  { name: 'acting-alone', events: actingAlone },
  { name: 'limit', events: overMoney },
  { name: 'loop', events: looping },
  { name: 'outcomes', events: outcomes },
  { name: 'hooks-unseen', events: rested, options: { environment: { unseen: unseenHooks } } },
  { name: 'brings', events: rested, options: { environment: { unseen: [...unseenHooks, ...unseen] } } },
  {
    name: 'brings-much',
    events: rested,
    options: { environment: { unseen: [...unseenHooks, ...manyUnseen] } },
  },
];
