import { expect } from 'vitest';
import { fold, journal, prompt, stepEnd } from './journal.ts';
import { environment } from './panelPage.ts';
import { asking, rested, running } from './scenario.ts';
import { test } from './suite.ts';

const field = { name: 'Ask Folio' };

test('Enter sends and empties the field, Shift+Enter breaks the line', async ({ open }) => {
  const { page, intention } = await open();
  const box = page.getByRole('textbox', field);
  await box.focus();
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  expect(await intention('prompt.send')).toEqual({
    type: 'prompt.send',
    text: 'one\ntwo',
    attachments: [],
    how: 'next',
  });
  expect(await box.inputValue()).toBe('');
});

test.for([300, 400, 500])(
  'a long prompt with attachments leaves the toolbar in a panel of %i px',
  async (height, { open }) => {
    const attachments = Array.from({ length: 14 }, (_, i) => ({
      kind: 'file',
      path: `src/module${i}/index${i}.ts`,
    }));
    const memory = { sessionId: 'session-1', attachments };
    const { page } = await open({ state: fold(asking), width: 280, height, memory });
    await page.getByRole('textbox', field).fill('line\n'.repeat(20));
    const bar = await page.locator('.composer-bar').boundingBox();
    const above = await page.locator('.prompt-field').boundingBox();
    expect(bar!.y).toBeGreaterThanOrEqual(above!.y + above!.height);
    expect(bar!.y + bar!.height).toBeLessThanOrEqual(height);
  },
);

test('Enter that ends the composing of an input method does not send', async ({ open }) => {
  const { page, intentions } = await open();
  const box = page.getByRole('textbox', field);
  await box.fill('にほん');
  await box.evaluate(element => {
    const composing = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent('keydown', composing));
    const old = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent('keydown', old));
  });
  expect((await intentions()).map(each => each.type)).not.toContain('prompt.send');
  expect(await box.inputValue()).toBe('にほん');
});

test('while Folio works, Enter lets the prompt wait, Ctrl+Enter steers and Ctrl+Shift+Enter stops and sends', async ({
  open,
}) => {
  const { page, intentions } = await open({ state: fold(running) });
  const box = page.getByRole('textbox', field);
  const keys = ['Enter', 'Control+Enter', 'Meta+Enter', 'Control+Shift+Enter'];
  for (const key of keys) {
    await box.fill(`by ${key}`);
    await box.press(key);
    expect(await box.inputValue()).toBe('');
  }
  const attachments: never[] = [];
  expect((await intentions()).filter(each => each.type === 'prompt.send')).toEqual([
    { type: 'prompt.send', text: 'by Enter', attachments, how: 'next' },
    { type: 'prompt.send', text: 'by Control+Enter', attachments, how: 'steer' },
    { type: 'prompt.send', text: 'by Meta+Enter', attachments, how: 'steer' },
    { type: 'prompt.send', text: 'by Control+Shift+Enter', attachments, how: 'stopAndSend' },
  ]);
});

test('at rest every way of sending is the same, and Alt+Enter breaks the line', async ({ open }) => {
  const { page, intention } = await open({ state: fold(rested) });
  const box = page.getByRole('textbox', field);
  await box.focus();
  await page.keyboard.type('one');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Control+Shift+Enter');
  expect((await intention('prompt.send')).text).toBe('one\ntwo');
});

test('the menu at the send button offers the ways with their keys, and the field gets the focus back', async ({
  open,
}) => {
  const { page, intention } = await open({ state: fold(running) });
  expect(await page.getByRole('button', { name: 'Ways to send' }).count()).toBe(0);
  await page.getByRole('textbox', field).fill('and then');
  await page.getByRole('button', { name: 'Ways to send' }).focus();
  await page.keyboard.press('Enter');
  const entries = page.getByRole('menuitem');
  expect(await entries.evaluateAll(all => all.map(each => each.getAttribute('aria-keyshortcuts')))).toEqual([
    'Enter',
    'Control+Enter',
    'Control+Shift+Enter',
  ]);
  expect(await page.getByRole('menuitem', { name: 'Steer now', exact: true }).count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await intention('prompt.send')).toMatchObject({ text: 'and then', how: 'steer' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('with text in the narrowest field, send, its menu and Stop are all there, Stop where Send was', async ({
  open,
}) => {
  const { page, intention, play } = await open({ state: fold(rested), width: 280 });
  const box = page.getByRole('textbox', field);
  await box.fill('and then');
  const place = (name: string) => page.getByRole('button', { name }).boundingBox();
  const before = await place('Send (Enter)');
  await play(
    journal(
      [prompt('t2', 'Go'), { type: 'mode.changed', mode: 'autoEdit' }, stepEnd('s9', 131_000)],
      rested.length,
    ),
  );
  await page.getByRole('button', { name: 'Ways to send' }).waitFor();
  expect(await place('Stop (Escape)')).toEqual(before);
  for (const name of ['Send next (Enter)', 'Ways to send', 'Stop (Escape)'])
    expect((await place(name))!.x + (await place(name))!.width).toBeLessThanOrEqual(280 - 12);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(280);
  await page.getByRole('button', { name: 'Stop (Escape)' }).click();
  await intention('turn.stop');
  expect(await box.inputValue()).toBe('and then');
});

test('Arrow Up in an empty field recalls earlier prompts, Arrow Down goes back', async ({ open }) => {
  const { page, play } = await open({ state: fold(rested) });
  await play(journal([prompt('t2', 'And with two lines?')], rested.length));
  const box = page.getByRole('textbox', field);
  await box.focus();
  await expect.poll(() => page.getByText('And with two lines?').count()).toBe(1);
  await page.keyboard.press('ArrowUp');
  expect(await box.inputValue()).toBe('And with two lines?');
  await page.keyboard.press('ArrowUp');
  expect(await box.inputValue()).toBe('What does total() do?');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await box.inputValue()).toBe('');
});

test('the field grows with its text to eight lines and then scrolls', async ({ open }) => {
  const { page } = await open();
  const box = page.getByRole('textbox', field);
  const heights: number[] = [];
  for (const lines of [1, 4, 8, 30]) {
    await box.fill(Array.from({ length: lines }, (_, index) => `line ${index}`).join('\n'));
    heights.push(await box.evaluate(element => element.clientHeight));
  }
  expect(heights[1]).toBeGreaterThan(heights[0]!);
  expect(heights[2]).toBeGreaterThan(heights[1]!);
  expect(heights[3]).toBe(heights[2]);
});

test('an image is pasted, shown as a chip, removed and sent; other files are refused with a sentence', async ({
  open,
}) => {
  const { page, intention } = await open();
  const box = page.getByRole('textbox', field);
  const paste = (name: string, type: string, bytes: number) =>
    box.evaluate(
      (element, file) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        element.dispatchEvent(event);
      },
      { name, type, bytes },
    );
  await paste('first.png', 'image/png', 3);
  await page.getByRole('button', { name: 'Remove first.png' }).click();
  await expect.poll(() => page.getByText('first.png').count()).toBe(0);

  await paste('drawing.gif', 'image/gif', 3);
  await page.getByText('drawing.gif was not attached. It cannot be read: try another copy.').waitFor();
  // The host makes a smaller copy of it for the service.
  await paste('large.png', 'image/png', 6 * 1024 * 1024);
  await page.getByRole('button', { name: 'Remove large.png' }).click();
  await paste('huge.png', 'image/png', 15 * 1024 * 1024);
  await page.getByText('huge.png was not attached. It cannot be read: try another copy.').waitFor();
  await paste('huge.pdf', 'application/pdf', 15 * 1024 * 1024);
  await page.getByText('huge.pdf was not attached. It is larger than 14 MB', { exact: false }).waitFor();

  await paste('second.png', 'image/png', 3);
  await page.getByText('second.png').waitFor();
  await box.fill('look');
  await box.press('Enter');
  const sent = await intention('prompt.send');
  expect(sent.attachments).toEqual([
    { kind: 'image', name: 'second.png', blob: { mimeType: 'image/png', data: 'AAAA' } },
  ]);
});

test('the draft survives that VS Code throws the page away', async ({ open }) => {
  const first = await open({ state: fold(rested) });
  await first.page.getByRole('textbox', field).fill('half a thought');
  await expect
    .poll(async () => (await first.memory()) as { draft?: string } | undefined)
    .toMatchObject({ draft: 'half a thought' });
  const second = await open({ state: fold(rested), memory: await first.memory() });
  expect(await second.page.getByRole('textbox', field).inputValue()).toBe('half a thought');
});

test('mode and model are picked by keyboard and follow the host', async ({ open }) => {
  const { page, intention, play } = await open({ state: fold(rested) });
  const mode = page.getByRole('combobox', { name: 'Approval mode' });
  await mode.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await intention('mode.set')).toEqual({ type: 'mode.set', mode: 'autoEdit' });

  await play(journal([{ type: 'mode.changed', mode: 'plan' }], rested.length));
  await expect.poll(() => mode.evaluate(element => (element as HTMLSelectElement).value)).toBe('plan');

  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.getByRole('option', { name: 'Gemini 2.5 Flash' }).click();
  expect((await intention('model.set')).model).toBe('gemini-2.5-flash');
});

test.for([
  ['Gemini 2.5 Flash Lite', '2.5 Flash Lite'],
  ['gemini-2.5-flash-lite', '2.5-flash-lite'],
  ['Claude Sonnet 4.6 Fast', 'Sonnet 4.6 Fast'],
  ['Qwen2.5-Coder-7B-Instruct', 'Qwen2.5-Coder-7B-Instruct'],
] as const)(
  'in a narrow panel %j loses its family as a whole, and never its version',
  async ([label, rest], { open }) => {
    const models = [{ id: 'm', label, contextLimit: 1_048_576 }];
    const { page } = await open({
      state: { ...fold(rested), model: 'm' },
      width: 280,
      environment: { models },
    });
    const seen = () =>
      page.locator('.picker.model .with-spare').evaluate(line => {
        const { top, bottom } = line.getBoundingClientRect();
        return [...line.children]
          .filter(
            part => part.getBoundingClientRect().top >= top && part.getBoundingClientRect().bottom <= bottom,
          )
          .map(part => [part.textContent, part.scrollWidth > part.clientWidth && part.clientWidth > 0]);
      });
    expect(await seen()).toEqual([[rest, rest === label]]);
    await page.setViewportSize({ width: 480, height: 760 });
    await expect.poll(async () => (await seen()).map(([text]) => text).join('')).toBe(label);
  },
);

test('a selection that the host adds becomes a chip once, and the field gets the focus that was asked for', async ({
  open,
}) => {
  const { page, send } = await open({ state: fold(rested) });
  const attachment = { kind: 'selection', path: 'src/a.ts', startLine: 3, endLine: 9, text: 'x' } as const;
  await send({ type: 'attachment.added', attachment }, { type: 'attachment.added', attachment });
  await expect.poll(() => page.getByText('a.ts:3–9').count()).toBe(1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('an empty panel names the key that leads to it from the editor', async ({ open }) => {
  const { page } = await open();
  await page.locator('.welcome').getByText("From the editor, Ctrl+' leads here.").waitFor();
});

test('the chip of the open file and the menu name the selected lines, and attach them', async ({ open }) => {
  const { page, send, intentions } = await open();
  const chip = page.locator('.chip.offered');
  const isDashed = () => chip.evaluate(each => getComputedStyle(each).borderStyle === 'dashed');
  expect(await isDashed()).toBe(true);
  expect(await chip.textContent()).toBe('invoice.ts, name only');
  expect(await chip.getByRole('button').getAttribute('title')).toBe(
    'Only the name of src/invoice.ts is sent with the prompt, since it is open. Press to attach the file.',
  );
  const facts = { ...environment, selectedLines: { startLine: 4, endLine: 9 } };
  await send({ type: 'environment.changed', environment: facts });
  await expect.poll(() => chip.textContent()).toBe('invoice.ts:4–9');
  expect(await isDashed()).toBe(false);
  await chip.getByText('invoice.ts').click();
  await page.getByRole('button', { name: 'Add context' }).click();
  const selection = page.getByRole('menuitem', { name: 'Selection, invoice.ts:4–9' });
  expect(await selection.getAttribute('aria-keyshortcuts')).toBe("Control+Shift+'");
  await selection.click();
  const attached = (await intentions()).filter(({ type }) => type === 'selection.attach');
  expect(attached).toHaveLength(2);
});

test('× leaves the selected lines out, and the next letter goes into the prompt', async ({ open }) => {
  const { page, send, intention } = await open();
  expect(await page.getByRole('button', { name: 'Leave invoice.ts, name only out' }).count()).toBe(0);
  const selected = { ...environment, selectedLines: { startLine: 4, endLine: 9 } };
  await send({ type: 'environment.changed', environment: selected });
  await page.getByRole('button', { name: 'Leave invoice.ts:4–9 out' }).press('Enter');
  await intention('selection.omit');
  await send({ type: 'environment.changed', environment: { ...selected, isSelectionOmitted: true } });
  await page.keyboard.type('x');
  await expect.poll(() => page.getByRole('textbox', field).inputValue()).toBe('x');
  const chip = page.locator('.chip.offered');
  expect(await chip.textContent()).toBe('invoice.ts:4–9, left out');
  await chip.getByRole('button').click();
  await intention('selection.attach');
});

test('× on attached lines leaves them out, too, while they are selected', async ({ open }) => {
  const { page, send, intention, intentions } = await open();
  const lines = { startLine: 4, endLine: 9 };
  await send({ type: 'environment.changed', environment: { ...environment, selectedLines: lines } });
  const path = environment.activeFile!;
  const attach = (range: typeof lines) =>
    send({ type: 'attachment.added', attachment: { kind: 'selection', path, ...range, text: 'x' } });
  const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}` }).click();
  await attach({ startLine: 1, endLine: 2 });
  await remove('invoice.ts:1–2');
  expect((await intentions()).map(({ type }) => type)).not.toContain('selection.omit');
  await attach(lines);
  await remove('invoice.ts:4–9');
  await intention('selection.omit');
});

test('Page Up and Page Down in the prompt scroll the transcript, and a long prompt first', async ({
  open,
}) => {
  const { page } = await open({ state: fold(rested), height: 300 });
  const top = () => page.locator('.transcript').evaluate(view => view.scrollTop);
  const box = page.getByRole('textbox', field);
  await box.focus();
  const end = await top();
  await page.keyboard.press('PageUp');
  await expect.poll(top).toBeLessThan(end);
  await page.keyboard.press('PageDown');
  await expect.poll(top).toBe(end);
  await box.fill('a\n'.repeat(60));
  await expect.poll(() => box.evaluate(each => each.scrollHeight > each.clientHeight)).toBe(true);
  await page.keyboard.press('PageUp');
  await expect
    .poll(() => box.evaluate(each => each.scrollTop < each.scrollHeight - each.clientHeight))
    .toBe(true);
});

test('the context meter says how full the context is and compresses it', async ({ open }) => {
  const { page, intention } = await open({ state: fold(running) });
  await page.getByRole('button', { name: /^Context: 131,600 of 1,048,576 tokens, 13 percent/ }).click();
  await page.getByText('Compress').click();
  await intention('context.compress');
});

test('a line behind ! is marked as a command, and ! alone keeps that on until Escape', async ({ open }) => {
  const { page, intentions } = await open({ state: fold(rested) });
  const box = page.getByRole('textbox', field);
  await box.focus();
  await page.keyboard.type('!git log @{u}');
  await page.getByText('Runs as your own command.').waitFor();
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await page.getByText('Each line runs as your own command. Escape leaves.').waitFor();
  expect(await box.getAttribute('placeholder')).toBe('Run a command…');
  await page.keyboard.type('npm test');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.command-mark').textContent()).toBe('');
  await page.keyboard.type('why?');
  await page.keyboard.press('Enter');
  const sent = (await intentions()).filter(each => each.type === 'prompt.send');
  expect(sent.map(each => each.text)).toEqual(['!git log @{u}', '!npm test', 'why?']);
});

test('a text that comes from elsewhere is no command, and what is attached waits for a prompt', async ({
  open,
}) => {
  const { page, intention, send } = await open({ state: fold(rested) });
  const box = page.getByRole('textbox', field);
  await send({ type: 'attachment.added', attachment: { kind: 'file', path: 'src/a.ts' } });
  await box.fill('!');
  await box.press('Enter');
  await box.fill('ls');
  await box.press('Enter');
  expect(await intention('prompt.send')).toMatchObject({ text: '!ls', attachments: [] });
  await send({ type: 'composer.filled', text: 'Explain this', attachments: [] });
  await expect.poll(() => page.locator('.command-mark').textContent()).toBe('');
  await page.getByRole('button', { name: 'Remove a.ts' }).waitFor();
});

test('the list of approval modes says what each does', async ({ open }) => {
  const { page } = await open({ state: fold(rested), width: 300 });
  await page.getByRole('combobox', { name: 'Approval mode' }).click();
  const option = page.getByRole('option', { name: 'Allow all' });
  await option.waitFor();
  const words = await option.evaluate(element => getComputedStyle(element, '::after').content);
  expect(words).toContain('Never asks');
});

test.for([280, 300, 320, 340, 360, 400])(
  'a panel of %i px leaves out the family of a model before what tells it from others',
  async (width, { open }) => {
    const models = environment.models.map(each => ({ ...each, efforts: ['low', 'high'] as const }));
    const { page } = await open({
      state: { ...fold(running), model: 'gemini-2.5-flash', contextTokens: 100_000 },
      width,
      environment: { models },
    });
    await page.getByRole('textbox', field).fill('Not now');
    await page.getByRole('button', { name: 'Ways to send' }).waitFor();
    const name = page
      .getByRole('combobox', { name: 'Model' })
      .getByText('2.5 Flash', { exact: true })
      .first();
    expect(await name.evaluate(text => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
    const family = name.locator('xpath=preceding-sibling::*');
    expect(await family.evaluate(text => getComputedStyle(text).whiteSpace)).toBe('pre');
  },
);
