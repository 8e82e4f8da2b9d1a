import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionState } from '../../src/protocol/state.ts';
import { askingDangerous, askingLasting } from './askScenes.ts';
import { fold, journal } from './journal.ts';
import { type PanelPage, settled } from './panelPage.ts';
import { askingHunks, reviewing } from './reviewScenes.ts';
import { asking, rested, running } from './scenario.ts';
import { test } from './suite.ts';

const prompt = 'textarea.prompt-field';
const field = (page: Page) => page.locator(prompt);
const text = (page: Page) => field(page).inputValue();
const modes = (page: Page) => page.getByRole('combobox', { name: 'Approval mode' });

interface WayOut {
  readonly name: string;
  readonly state: SessionState;
  readonly leave: (panel: PanelPage) => Promise<void>;
}

/** Each way out of a control, after which a letter is typed: it must stand in the prompt. */
const waysOut: readonly WayOut[] = [
  {
    name: 'a card is accepted by mouse',
    state: fold(asking),
    leave: async panel => {
      await panel.page.getByText('Run', { exact: true }).click();
      await decided(panel);
    },
  },
  {
    name: 'a card is accepted by its letter',
    state: fold(asking),
    leave: async panel => {
      await panel.page.locator('[data-ask]').focus();
      await panel.page.keyboard.press('a');
      await decided(panel);
    },
  },
  {
    name: 'a card is denied with a reason',
    state: fold(asking),
    leave: async panel => {
      await panel.page.getByText('Deny…', { exact: true }).click();
      await panel.page.keyboard.type('No.');
      await panel.page.keyboard.press('Enter');
      await decided(panel);
    },
  },
  {
    name: 'a lasting permission is given',
    state: fold(asking),
    leave: async panel => {
      await panel.page.getByText('Always run npm test').click();
      await decided(panel);
    },
  },
  {
    name: 'the work is stopped by its button',
    state: fold(running),
    leave: async panel => {
      await panel.page.getByRole('button', { name: 'Stop (Escape)' }).click();
      await ended(panel);
    },
  },
  {
    name: 'the work is stopped by Escape on a card',
    state: fold(running),
    leave: async panel => {
      await panel.page.locator('[data-card]').last().focus();
      await panel.page.keyboard.press('Escape');
      await ended(panel);
    },
  },
  {
    name: 'the history is left by Escape',
    state: fold(running),
    leave: async ({ page, send }) => {
      await send({ type: 'view.shown', view: 'history' });
      await page.getByRole('heading', { name: 'History' }).waitFor();
      await page.keyboard.press('Escape');
      await field(page).waitFor();
    },
  },
  {
    name: 'the permissions are left by their button',
    state: fold(running),
    leave: async ({ page, send }) => {
      await send({ type: 'view.shown', view: 'permissions' });
      await page.getByRole('button', { name: 'Back to the session' }).click();
      await field(page).waitFor();
    },
  },
  {
    name: 'a mode is chosen by mouse',
    state: fold(rested),
    leave: async ({ page, intention }) => {
      await modes(page).click();
      await page.getByRole('option', { name: 'Auto-edit' }).click();
      await intention('mode.set');
    },
  },
  {
    name: 'a mode is chosen by key',
    state: fold(rested),
    leave: async ({ page, intention }) => {
      await modes(page).press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await intention('mode.set');
    },
  },
  {
    name: 'a list of choices is left by Escape',
    state: fold(rested),
    leave: async ({ page }) => {
      await modes(page).click();
      await page.getByRole('option', { name: 'Auto-edit' }).waitFor();
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'the menu of what can be added is left by Escape',
    state: fold(rested),
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Add context' }).click();
      await page.getByRole('menuitem', { name: 'Problems' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'Escape is pressed in a prompt at rest',
    state: fold(reviewing),
    leave: async ({ page }) => {
      await field(page).focus();
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'a place without a control is pressed',
    state: fold(reviewing),
    leave: async ({ page }) => {
      await field(page).focus();
      await page.mouse.click(2, 2);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    },
  },
  {
    name: 'the window comes back',
    state: fold(reviewing),
    leave: async ({ page }) => {
      await page.evaluate(() => {
        (document.activeElement as HTMLElement | null)?.blur();
        window.dispatchEvent(new Event('focus'));
      });
    },
  },
];

test.for(waysOut)('the next letter stands in the prompt after $name', async ({ state, leave }, { open }) => {
  const panel = await open({ state });
  await leave(panel);
  await panel.page.keyboard.type('x');
  await expect.poll(() => text(panel.page)).toBe('x');
});

test('words that are typed on a closed list go to the prompt and choose nothing', async ({ open }) => {
  const { page, intentions } = await open({ state: fold(rested) });
  await modes(page).focus();
  await page.keyboard.type('all tests');
  await expect.poll(() => text(page)).toBe('all tests');
  expect((await intentions()).map(each => each.type)).not.toContain('mode.set');
});

test('a key decides on what asks while the prompt is empty', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(asking) });
  await field(page).focus();
  await send({ type: 'transcript.moved', move: 'deny' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'deny' });
});

test('keys that were pressed before a card could be seen, or are held down, decide nothing', async ({
  open,
}) => {
  const { page, play, send, intentions } = await open({ state: fold(asking.slice(0, -1)) });
  await field(page).focus();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  await play(journal(asking).slice(-1));
  await settled(page);
  // Held down: the same key comes again.
  await page.keyboard.down('Enter');
  await send({ type: 'transcript.moved', move: 'accept' });
  expect((await intentions()).map(each => each.type)).not.toContain('call.decide');
  await page.keyboard.up('Enter');
  await page.keyboard.down('Enter');
  await send({ type: 'transcript.moved', move: 'accept' });
  await expect.poll(async () => (await intentions()).map(each => each.type)).toContain('call.decide');
});

test('a key that follows a message to the agent accepts only when it is pressed again', async ({ open }) => {
  const { page, send, intentions, intention } = await open({ state: fold(asking) });
  await page.locator('[data-ask]:not([aria-disabled])').waitFor();
  await field(page).fill('No, keep the old form.');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await send({ type: 'transcript.moved', move: 'accept' });
  await page.getByText(/^Your message is read after this decision/).waitFor();
  expect((await intentions()).map(each => each.type)).not.toContain('call.decide');
  await page.keyboard.press('Control+Enter');
  await send({ type: 'transcript.moved', move: 'accept' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('a message that waits for the end of a step is not passed over by a card that comes later', async ({
  open,
}) => {
  const queue = [{ id: 'q1', text: 'Keep the old form.', attachments: [], when: 'steer', at: 0 }] as const;
  const { send, intentions, intention } = await open({ state: { ...fold(asking), queue } });
  await send({ type: 'transcript.moved', move: 'accept' });
  await send({ type: 'transcript.moved', move: 'deny' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'deny' });
  expect((await intentions()).filter(each => each.type === 'call.decide')).toHaveLength(1);
});

test('the empty prompt does not promise to send at once what waits for a decision', async ({ open }) => {
  for (const width of [300, 400]) {
    const { page } = await open({ state: fold(asking), width });
    expect(await field(page).getAttribute('placeholder')).toMatch(/after you(r)? deci/);
  }
});

test('VS Code does not hear of keys that edit or send a text', async ({ open }) => {
  const { page } = await open({ state: fold(asking) });
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    window.addEventListener('keydown', ({ key }) => heard.push(key));
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
  await field(page).focus();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Backspace');
  expect(await heard()).toEqual(['Control', 'Enter', 'Control', 'Backspace']);
  await page.keyboard.type('and');
  await page.keyboard.press('Control+Backspace');
  await page.keyboard.type('or');
  await page.keyboard.press('Control+Enter');
  expect((await heard()).filter(key => key.length > 1)).toEqual(['Control', 'Control']);
});

test('the key that erased the last word of a prompt does not deny with the next press', async ({ open }) => {
  const { page } = await open({ state: fold(asking) });
  const heard = await field(page).evaluate(element => {
    const keys: string[] = [];
    window.addEventListener('keydown', ({ key }) => keys.push(key));
    const erase = () => {
      const key = { key: 'Backspace', ctrlKey: true, bubbles: true, composed: true };
      element.dispatchEvent(new KeyboardEvent('keydown', key));
    };
    (element as HTMLTextAreaElement).value = 'wait';
    erase();
    (element as HTMLTextAreaElement).value = '';
    erase();
    erase();
    return keys;
  });
  expect(heard).toEqual([]);
});

test('a row of a page has the focus again when what it opened in VS Code is left', async ({ open }) => {
  const { page, send } = await open({ state: fold(asking) });
  await send({ type: 'view.shown', view: 'connect' });
  const row = page.locator('.way-row').nth(1);
  await row.focus();
  // As VS Code does it: its field takes the focus from the page, and gives it to the page as a whole.
  await row.evaluate(element => {
    element.blur();
    window.dispatchEvent(new Event('focus'));
  });
  await expect.poll(() => row.evaluate(element => element === document.activeElement)).toBe(true);
});

test('a key in an editor decides without taking the focus to the prompt', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(asking) });
  await page.locator('[data-ask]').focus();
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await send({ type: 'transcript.moved', move: 'accept' });
  await intention('call.decide');
  expect(await field(page).evaluate(each => each === document.activeElement)).toBe(false);
});

test('letters in a reason decide nothing', async ({ open }) => {
  const { page, intentions, intention } = await open({ state: fold(asking) });
  await page.getByText('Deny…', { exact: true }).click();
  await page.keyboard.type('a jar, a kayak');
  expect((await intentions()).map(each => each.type)).not.toContain('call.decide');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({ kind: 'deny', reason: 'a jar, a kayak' });
});

test('a card out of view is shown first, and a second key decides', async ({ open }) => {
  const { page, send, intentions } = await open({ state: fold(asking), height: 420 });
  await page.getByRole('log').evaluate(log => log.scrollTo(0, 0));
  const count = async () => (await intentions()).filter(each => each.type === 'call.decide').length;
  const isInView = () =>
    page.locator('[data-ask]').evaluate(card => {
      const view = card.closest('[data-cards]')!.getBoundingClientRect();
      return card.getBoundingClientRect().bottom <= view.bottom + 1;
    });
  expect(await isInView()).toBe(false);
  await send({ type: 'transcript.moved', move: 'accept' });
  await expect.poll(isInView).toBe(true);
  expect(await count()).toBe(0);
  await field(page).focus();
  await page.keyboard.press('Control+Enter');
  await send({ type: 'transcript.moved', move: 'accept' });
  await expect.poll(count).toBe(1);
});

test('a key decides on a card whose button is in view, though the card continues below', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(asking), height: 420 });
  const below = await page.locator('[data-ask]').evaluate(card => {
    const view = card.closest('[data-cards]')!;
    const measure = () => card.getBoundingClientRect().bottom - view.getBoundingClientRect().bottom;
    view.scrollBy(0, measure() - 6);
    return measure();
  });
  expect(below).toBeGreaterThan(1);
  await send({ type: 'transcript.moved', move: 'accept' });
  await intention('call.decide');
});

test('a key decides from a mark in a card whose button is out of view', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(askingHunks), height: 380 });
  await page.locator('[data-ask]:not([aria-disabled])').waitFor();
  const mark = page.getByRole('checkbox', { name: /^Take change 1/ });
  await mark.click();
  await mark.evaluate(each => each.scrollIntoView({ block: 'end' }));
  const isButtonInView = await page.locator('[data-ask] [data-action=accept]').evaluate(button => {
    const view = button.closest('[data-cards]')!;
    return button.getBoundingClientRect().bottom <= view.getBoundingClientRect().bottom + 1;
  });
  expect(isButtonInView).toBe(false);
  await page.keyboard.press('Control+Enter');
  await send({ type: 'transcript.moved', move: 'accept' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'hunks', accepted: [1, 2] });
});

test('a key that decides reaches VS Code from a mark, and not from a field with text', async ({ open }) => {
  const { page } = await open({ state: fold(askingHunks) });
  await page.evaluate(() => {
    window.addEventListener('keydown', ({ key, target }) => {
      if (key === 'Enter') document.title += (target as Element).tagName;
    });
    document.title = '';
  });
  await field(page).fill('Wait');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('checkbox', { name: /^Take change 2/ }).click();
  await page.keyboard.press('Control+Enter');
  expect(await page.title()).toBe('INPUT');
});

test('one key accepts for the workspace, and decides nothing where that is not offered', async ({ open }) => {
  const { page, send, intention } = await open({ state: fold(askingLasting) });
  await page.locator('[data-ask]:not([aria-disabled])').waitFor();
  await send({ type: 'transcript.moved', move: 'always' });
  expect((await intention('call.decide')).decision).toEqual({ kind: 'always', choice: 'there' });

  const once = await open({ state: fold(askingDangerous) });
  await once.page.locator('[data-ask]:not([aria-disabled])').waitFor();
  await once.send({ type: 'transcript.moved', move: 'always' });
  expect((await once.intentions()).map(each => each.type)).not.toContain('call.decide');
});

test('Escape in the prompt asks once more before it stops what waits for a decision', async ({ open }) => {
  const { page, intentions, intention } = await open({ state: fold(asking), width: 300 });
  await field(page).focus();
  const buttons = page.locator('.ask .buttons');
  const before = await buttons.boundingBox();
  await page.keyboard.press('Escape');
  await page.getByText(/Escape again stops/).waitFor();
  // What is said moves no button under the pointer.
  expect(await buttons.boundingBox()).toEqual(before);
  expect((await intentions()).map(each => each.type)).not.toContain('turn.stop');
  await page.keyboard.press('Escape');
  await intention('turn.stop');
});

test('the keys stand on the buttons while the prompt is empty', async ({ open }) => {
  const { page } = await open({ state: fold(asking) });
  const keys = page.locator('[data-ask] .keys');
  expect(await keys.allTextContents()).toEqual(['Ctrl+⏎', 'Ctrl+Alt+⏎', 'Ctrl+⌫']);
  expect(await keys.first().isVisible()).toBe(true);
  await field(page).fill('Wait');
  await expect.poll(() => keys.first().isVisible()).toBe(false);
});

/** The host says that the call runs. */
async function decided({ play, intention }: PanelPage): Promise<void> {
  await intention('call.decide');
  await play(journal([{ type: 'call.started', callId: 'run2' }], asking.length));
}

async function ended({ play, intention }: PanelPage): Promise<void> {
  await intention('turn.stop');
  await play(journal([{ type: 'turn.ended', turnId: 't1', end: { kind: 'stopped' } }], running.length));
}
