import { expect } from 'vitest';
import {
  actingAlone,
  askingDangerous,
  askingEachTime,
  askingGrant,
  askingHidden,
  askingInBackground,
  askingLasting,
  askingLongLine,
  askingMode,
  askingPlan,
  askingRead,
  askingReadingCommand,
  classified,
} from './askScenes.ts';
import { end, fold, journal } from './journal.ts';
import { pressAsItComes, settled } from './panelPage.ts';
import { asking, askingEdit, running } from './scenario.ts';
import { test } from './suite.ts';

test('a command is approved with the keyboard alone', async ({ open }) => {
  const { page, intention } = await open({ state: fold(asking) });
  await page.getByRole('log').focus();
  await page.keyboard.press('k');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-ask'))).toBe('run2');
  await page.keyboard.press('a');
  expect(await intention('call.decide')).toEqual({
    type: 'call.decide',
    callId: 'run2',
    askId: 'ask-run2',
    decision: { kind: 'once' },
  });
});

test('a second press meets what the same call asks next, and does not decide on it before it was seen', async ({
  open,
}) => {
  const { page, intentions, intention, play } = await open({ state: fold(asking) });
  const decided = async () =>
    (await intentions()).flatMap(each => (each.type === 'call.decide' ? [each.askId] : []));
  await page.getByText('Run', { exact: true }).click();
  const pressed = await pressAsItComes(page, 'https://evil.example', 'Fetch');
  await play(
    journal(
      [
        { type: 'call.decided', callId: 'run2', decision: 'once' },
        { type: 'call.started', callId: 'run2' },
        {
          type: 'call.asked',
          callId: 'run2',
          ask: {
            id: 'ask-next',
            reason: 'The server asks you to open a page.',
            subject: { kind: 'fetch', urls: ['https://evil.example'] },
            always: [],
          },
        },
      ],
      asking.length,
    ),
  );
  await pressed();
  await settled(page);
  expect(await decided()).toEqual(['ask-run2']);
  await page.getByText('Fetch', { exact: true }).click();
  await expect.poll(decided).toEqual(['ask-run2', 'ask-next']);
  expect((await intention('call.decide')).callId).toBe('run2');
});

test('a reason that was half written for one ask is not sent for the next', async ({ open }) => {
  const { page, play } = await open({ state: fold(asking) });
  await page.getByText('Deny…', { exact: true }).click();
  await page.getByRole('textbox', { name: /Reason/ }).fill('Not this');
  const last = asking.at(-1)!;
  if (last.type !== 'call.asked') throw new Error('The scene asks nothing.');
  await play(
    journal(
      [
        { type: 'call.started', callId: 'run2' },
        { ...last, ask: { ...last.ask, id: 'ask-next' } },
      ],
      asking.length,
    ),
  );
  await expect.poll(() => page.getByRole('textbox', { name: /Reason/ }).count()).toBe(0);
});

test('a command is denied with a reason by the keyboard alone, and Escape only closes the field', async ({
  open,
}) => {
  const { page, intention, intentions } = await open({ state: fold(asking) });
  await page.getByRole('log').focus();
  await page.keyboard.press('k');
  await page.keyboard.press('r');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('textbox', { name: /Reason/ }).count()).toBe(0);
  await page.keyboard.press('r');
  await page.keyboard.type('Run only the invoice tests');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({
    kind: 'deny',
    reason: 'Run only the invoice tests',
  });
  expect((await intentions()).map(each => each.type)).not.toContain('turn.stop');
});

test('the narrowest rule that ends the asking is one button', async ({ open }) => {
  const { page, intention } = await open({ state: fold(asking) });
  await page.getByText('Always run npm test').click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'always', choice: 'session' });
});

test('an ask for a command that may write says that its changes wait for review, where they will', async ({
  open,
}) => {
  const says = async (state: Parameters<typeof fold>[0]) => {
    const { page } = await open({ state: fold(state) });
    await page.getByText('Run', { exact: true }).or(page.getByText('Run anyway')).first().waitFor();
    return (await page.getByText('You can review any files it changes.').count()) > 0;
  };
  expect(await says(askingLasting)).toBe(true);
  expect(await says(askingReadingCommand)).toBe(false);
  expect(await says(askingInBackground)).toBe(false);
});

test('a card says which model let its command run, or left it to the user, and why', async ({ open }) => {
  const { page } = await open({ state: fold(classified) });
  const built = page.getByRole('group', { name: /^Run npm run build/ });
  await built.getByText('Allowed by gemini-2.5-flash-lite: It builds the invoices, as you asked.').waitFor();
  const asking = page.getByRole('group', { name: /^Run git push/ });
  await asking
    .getByText('gemini-2.5-flash-lite leaves this to you: You asked for a build, not for a push.')
    .waitFor();
});

test('an edit that is asked about opens in the diff editor', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingEdit) });
  const card = page.getByRole('group', { name: 'Edit src/invoice.ts, 2 lines added, 1 removed, pending' });
  await card.getByRole('button', { name: 'Open diff' }).click();
  expect(await intention('diff.open')).toEqual({ type: 'diff.open', callId: 'edit2' });
});

test('the buttons answer before the toolkit has defined them', async ({ open }) => {
  const { page, intention } = await open({
    state: fold(asking),
    refuse: /toolkit/,
  });
  expect(await page.evaluate(() => customElements.get('vscode-button'))).toBeUndefined();
  await settled(page);
  await page.getByText('Run', { exact: true }).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('an ask is announced once, and does not take the focus', async ({ open }) => {
  const { page, show, play } = await open({ state: fold(asking.slice(0, -1)) });
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await play(journal(asking).slice(-1));
  const alert = page.locator('[data-announcer=urgent]');
  await expect.poll(() => alert.textContent()).toMatch(/^Folio asks: Run npm test\. Commands can/);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');

  await page.evaluate(() => {
    const counter = window as unknown as { announced: number };
    counter.announced = 0;
    const urgent = document.querySelector('[data-announcer=urgent]')!;
    new MutationObserver(() => counter.announced++).observe(urgent, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await show(fold(asking));
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
  expect(await page.evaluate(() => (window as unknown as { announced: number }).announced)).toBe(0);
});

test('Escape in the composer stops a working agent', async ({ open }) => {
  const { page, intention } = await open({ state: fold(running) });
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await page.keyboard.press('Escape');
  await intention('turn.stop');
});

test('Escape with an open breakdown closes it and stops nothing', async ({ open }) => {
  const { page, intentions } = await open({ state: fold(running) });
  await page.getByRole('button', { name: /Show the breakdown/ }).click();
  await page.getByRole('dialog', { name: 'Tokens' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect((await intentions()).map(each => each.type)).not.toContain('turn.stop');
});

test('the commands of a line stand apart, each with what it does and why', async ({ open }) => {
  const { page } = await open({ state: fold(askingDangerous) });
  const rows = page.getByRole('list', { name: 'Commands in this line' }).getByRole('listitem');
  await expect
    .poll(() => rows.allTextContents())
    .toEqual([
      'git statusReads · It only shows the state of the repository.',
      'cat package.jsonReads · It only prints a file.',
      'node --run buildUnknown · This script could do anything.',
      'rm -rf ../distDangerous · It deletes a folder outside of the workspace.',
    ]);
  await page.getByText('Asked by .gemini/policies/team.toml, line 12.').waitFor();
  expect(await page.locator('.ask').getByText('This script could do anything.').count()).toBe(1);
});

test('where the list of commands scrolls, what matters stands below it', async ({ open }) => {
  const { page } = await open({ state: fold(askingLongLine) });
  await page.locator('.ask-danger').getByText('It deletes a folder outside of the workspace.').waitFor();
  expect(
    await page
      .locator('.ask')
      .getByText(/It deletes a folder/)
      .count(),
  ).toBe(1);
});

test('the danger of a command stands before what explains the card', async ({ open }) => {
  const { page } = await open({ state: fold(askingLongLine) });
  const words = (await page.locator('[data-ask]').textContent()) ?? '';
  const danger = words.indexOf('It deletes a folder');
  expect(danger).toBeGreaterThan(0);
  expect(words.indexOf('You can review any files it changes.')).toBeGreaterThan(danger);
});

test('a dangerous command is not what the eye is led to, and is run by its own word', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingDangerous) });
  await page.getByRole('group', { name: /dangerous, needs your decision\. It deletes a folder/ }).waitFor();
  await expect.poll(() => page.locator('.ask vscode-button[appearance=primary]').count()).toBe(0);
  await page.getByText('Run anyway').click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('“always” lasts in this workspace, where that can be kept', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingLasting) });
  await page.getByText('Always run npm test').click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'always', choice: 'there' });
});

test('a single harmless command needs no list', async ({ open }) => {
  const { page } = await open({ state: fold(askingLasting) });
  await page.getByText('Always run npm test').waitFor();
  expect(await page.getByRole('list', { name: 'Commands in this line' }).count()).toBe(0);
});

test('lasting permissions say how far they reach, and are chosen by the keyboard alone', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingLasting) });
  const more = page.getByRole('button', { name: 'All choices' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual([
      'Always run npm test *, in this session',
      'Always run npm test *, in this workspace',
      'Always run npm *, for you, in every workspace',
    ]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  expect((await intention('call.decide')).decision).toEqual({ kind: 'always', choice: 'everywhere' });
});

test('what cannot be seen in a command or a path is written out', async ({ open }) => {
  const command = await open({ state: fold(askingHidden) });
  await command.page.getByText('echo safe\\u{202E} fr- mr\\u{200B} # \\u{A0}').waitFor();
  const paths = await open({ state: fold(askingRead) });
  await paths.page.getByText('config/.env.production\\u{202E}').waitFor();
  await paths.page.getByText('Allow', { exact: true }).click();
  expect((await paths.intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('the agent asks before it switches its mode', async ({ open }) => {
  const { page, intention } = await open({ state: fold(askingMode) });
  await page.getByText('Mode Plan: Only reads and plans.').waitFor();
  await page.getByText('Switch', { exact: true }).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
});

test('an ask of an earlier version, whose lasting permission is a sentence, can be decided', async ({
  open,
}) => {
  const bodies = askingLasting.map(body =>
    body.type === 'call.asked' ? { ...body, ask: { ...body.ask, always: 'Always run npm test' } } : body,
  );
  // What is read from disk was written under the types of its time.
  const { page, intention, problems } = await open({ state: fold(bodies as typeof askingLasting) });
  await page.getByText('Run', { exact: true }).click();
  expect((await intention('call.decide')).decision).toEqual({ kind: 'once' });
  expect(await problems()).toEqual([]);
});

test('who is asked for nothing sees it over the composer, and has a way back', async ({ open }) => {
  const { page, intention } = await open({ state: fold(actingAlone) });
  await page.getByRole('status').filter({ hasText: 'Running without approval' }).waitFor();
  await page.getByText('Switch to Ask first').click();
  expect(await intention('mode.set')).toEqual({ type: 'mode.set', mode: 'default' });
});

test('while something is asked, no line says otherwise', async ({ open }) => {
  const { page } = await open({ state: fold(asking) });
  await page.getByText('Always run npm test').waitFor();
  expect(await page.getByText('Running without approval').count()).toBe(0);
});

test('a permission that was given for good says so where it was given, and leads to where it is removed', async ({
  open,
}) => {
  const decided = [
    ...asking,
    { type: 'call.decided', callId: 'run2', decision: 'always', choice: 'session' },
    { type: 'call.started', callId: 'run2' },
    end('run2', 'Exit code 0'),
  ] as const;
  const { page, intention } = await open({ state: fold(decided) });
  const note = page.locator('.call-note', {
    hasText: 'Always run npm test *, in this session',
  });
  await note.getByRole('button', { name: 'Permissions' }).click();
  await intention('permissions.list');
});

test('a command that is only allowed once says why, and the keys of a lasting permission get an answer', async ({
  open,
}) => {
  const { page, send, intentions } = await open({ state: fold(askingEachTime) });
  await page
    .locator('.ask')
    .getByText('Folio asks each time: it cannot limit a lasting permission to this use of node.')
    .waitFor();
  await page.getByRole('textbox', { name: 'Ask Folio' }).focus();
  await send({ type: 'transcript.moved', move: 'always' });
  await page
    .locator('.composer-hint')
    .getByText('decided nothing: this card offers no permission for the workspace.')
    .waitFor();
  expect((await intentions()).map(each => each.type)).not.toContain('call.decide');
});

test('no command without a lasting permission is silent about it, an ask of an earlier version is', async ({
  open,
}) => {
  const says = async (state: Parameters<typeof fold>[0]) => {
    const { page } = await open({ state: fold(state) });
    await page.getByText('Deny…').waitFor();
    return (await page.locator('.ask').getByText('no lasting permission covers this.').count()) > 0;
  };
  expect(await says(askingDangerous)).toBe(true);
  expect(await says(askingLasting)).toBe(false);
  expect(await says(askingRead)).toBe(false);
  const earlier = askingLasting.map(body =>
    body.type === 'call.asked' ? { ...body, ask: { ...body.ask, always: 'Always run npm test' } } : body,
  );
  expect(await says(earlier as typeof askingLasting)).toBe(false);
});

test('a button that allows a command always names the arguments as its list does, and explains them', async ({
  open,
}) => {
  const command = await open({ state: fold(askingLasting) });
  await command.page.getByText('Always run npm test *', { exact: true }).waitFor();
  const always = command.page.locator('[data-action=always]');
  expect(await always.getAttribute('title')).toBe(
    'Always run npm test *, in this workspace. * stands for any arguments (Ctrl+⇧⏎)',
  );
  expect(await always.getAttribute('aria-keyshortcuts')).toBe('Control+Shift+Enter');
  const sandbox = await open({ state: fold(askingGrant) });
  await sandbox.page.getByText('Always allow all of these', { exact: true }).waitFor();
});

test('the keys stand on a narrow button, and drop out where they have no room beside the words', async ({
  open,
}) => {
  const keysOf = async (bodies: typeof asking, language: 'en' | 'de' = 'en') => {
    const { page } = await open({ state: fold(bodies), width: 292, language });
    await settled(page);
    return page.locator('[data-ask] vscode-button[aria-keyshortcuts]').evaluateAll(all =>
      all.flatMap(button => {
        const keys = button.querySelector('.keys')!;
        return keys.getBoundingClientRect().bottom < button.getBoundingClientRect().bottom
          ? [keys.textContent]
          : [];
      }),
    );
  };
  expect(await keysOf(asking)).toEqual(['Ctrl+⏎', 'Ctrl+Alt+⏎', 'Ctrl+⌫']);
  expect(await keysOf(askingLasting)).toEqual(['Ctrl+⏎', 'Ctrl+⇧⏎', 'Ctrl+⌫']);
  expect(await keysOf(askingPlan)).toEqual(['Ctrl+⏎', 'Ctrl+⌫']);
  expect(await keysOf(askingPlan, 'de')).toEqual(['Ctrl+⏎', 'Ctrl+⌫']);
  const long = `Always run ${'npm test '.repeat(9)}*`;
  const named = JSON.stringify(askingLasting).replaceAll('Always run npm test *', long);
  expect(await keysOf(JSON.parse(named))).toEqual(['Ctrl+⏎', 'Ctrl+⌫']);
});
