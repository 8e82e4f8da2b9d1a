import { expect } from 'vitest';
import type { CompletionChoice } from '../../src/protocol/mentions.ts';
import { fold } from './journal.ts';
import type { PanelPage } from './panelPage.ts';
import { rested, running } from './scenario.ts';
import { test } from './suite.ts';

const files: readonly CompletionChoice[] = [
  { kind: 'file', label: 'invoice.ts', insert: '@src/invoice.ts ', detail: 'src' },
  { kind: 'folder', label: 'src', insert: '@src/', detail: '' },
  { kind: 'file', label: 'invoice.map', insert: '@dist/invoice.map ', detail: 'dist', ignored: true },
];
const commands: readonly CompletionChoice[] = [
  { kind: 'command', label: '/compress', insert: '/compress ', detail: 'Summarise the oldest part' },
  { kind: 'command', label: '/help', insert: '/help ', detail: 'Show what can be asked for' },
];

/** More than fit, some of them longer than the panel is wide. */
const long: readonly CompletionChoice[] = Array.from({ length: 12 }, (_, index) => ({
  kind: 'file',
  label: `${'aVeryLongName'.repeat(1 + (index % 5))}.test.ts`,
  insert: '@x ',
  detail: 'packages/accounting/src/invoices/specifications',
}));

const field = ({ page }: PanelPage) => page.locator('textarea.prompt-field');
const options = ({ page }: PanelPage) => page.getByRole('listbox').getByRole('option');
const active = ({ page }: PanelPage) => page.locator('.completion-row[aria-selected="true"]').innerText();

/** Waits until the page asks for this and answers it. */
async function answer(
  panel: PanelPage,
  query: string,
  choices: readonly CompletionChoice[] = files,
  limited = false,
): Promise<void> {
  await expect.poll(async () => (await asked(panel)).at(-1)?.query).toBe(query);
  const { number } = (await asked(panel)).at(-1)!;
  await panel.send({ type: 'completion.told', number, choices, limited });
  if (choices.length > 0) await expect.poll(() => options(panel).count()).toBe(choices.length);
}

async function asked(panel: PanelPage) {
  return (await panel.intentions()).filter(each => each.type === 'completion.ask');
}

test('an at sign asks the host, arrows walk in a circle, Enter takes and nothing is sent', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('look at @in');
  await answer(panel, 'in');
  expect((await asked(panel)).at(-1)).toMatchObject({ trigger: '@', query: 'in' });
  expect(await active(panel)).toContain('invoice.ts');
  await page.keyboard.press('ArrowUp');
  expect(await active(panel)).toContain('invoice.map');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await field(panel).inputValue()).toBe('look at @src/invoice.ts ');
  await expect.poll(() => page.locator('.completion').count()).toBe(0);
  expect((await panel.intentions()).map(each => each.type)).not.toContain('prompt.send');
  await page.keyboard.press('Enter');
  expect((await panel.intention('prompt.send')).text).toBe('look at @src/invoice.ts');
});

test('Tab takes a folder and continues in it, and undo brings back what was typed', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('see @s');
  await answer(panel, 's', files.slice(1));
  await page.keyboard.press('Tab');
  expect(await field(panel).inputValue()).toBe('see @src/');
  await answer(panel, 'src/', files.slice(0, 1));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  expect(await field(panel).inputValue()).toBe('see @s');
  await page.keyboard.type('x');
  expect(await field(panel).inputValue()).toBe('see @sx');
  expect(await field(panel).evaluate(it => it === document.activeElement)).toBe(true);
});

test('the list names itself to screen readers while the field keeps the focus', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  const attribute = (name: string) => field(panel).getAttribute(name);
  await field(panel).focus();
  expect(await attribute('aria-activedescendant')).toBeNull();
  await page.keyboard.type('@');
  await answer(panel, '');
  const list = page.getByRole('listbox', { name: 'Context' });
  expect(await attribute('aria-controls')).toBe(await list.getAttribute('id'));
  const selected = page.locator(`#${await attribute('aria-activedescendant')}`);
  expect(await selected.getAttribute('aria-selected')).toBe('true');
  expect(await page.getByText('3 choices').count()).toBe(1);
  expect(await options(panel).last().innerText()).toContain('ignored');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
});

test('Escape closes the list and nothing else, until something else is completed', async ({ open }) => {
  const panel = await open({ state: fold(running) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('@in');
  await answer(panel, 'in');
  await page.keyboard.press('Escape');
  await expect.poll(() => options(panel).count()).toBe(0);
  expect(await field(panel).evaluate(it => it === document.activeElement)).toBe(true);
  expect((await panel.intentions()).map(each => each.type)).not.toContain('turn.stop');
  await page.keyboard.type('v');
  const before = (await asked(panel)).length;
  await page.keyboard.type(' @sr');
  await answer(panel, 'sr');
  expect((await asked(panel)).length).toBeGreaterThan(before);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await panel.intention('turn.stop');
});

test('a slash offers commands at the beginning only, and one that is written out is sent by Enter', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('a /h');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('/h');
  await answer(panel, 'h', commands);
  expect((await asked(panel)).map(each => each.trigger)).not.toContain('@');
  await page.getByRole('listbox', { name: 'Commands' }).waitFor();
  await options(panel).nth(1).click();
  expect(await field(panel).inputValue()).toBe('/help ');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('/help');
  await answer(panel, 'help', commands.slice(1));
  await page.keyboard.press('Enter');
  expect((await panel.intention('prompt.send')).text).toBe('/help');
});

test('behind the name of a command its words are offered, and Enter sends where there are none', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('/mem');
  const word = (text: string): CompletionChoice => ({ kind: 'command', label: text, insert: `${text} ` });
  await answer(panel, 'mem', [word('/memory')]);
  await page.keyboard.press('Enter');
  await answer(panel, 'memory ', [word('/memory'), word('/memory show'), word('/memory list')]);
  await page.keyboard.type('l');
  await answer(panel, 'memory l', [word('/memory list')]);
  await page.keyboard.press('Enter');
  expect(await field(panel).inputValue()).toBe('/memory list ');
  await page.keyboard.press('Enter');
  expect((await panel.intention('prompt.send')).text).toBe('/memory list');
  await page.keyboard.type('/init mind');
  await answer(panel, 'init mind', []);
  await expect.poll(() => page.locator('.completion').count()).toBe(0);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await panel.intention('prompt.send')).text).toBe('/init mind');
});

test('an answer to an earlier question is ignored, and Enter waits for the newest', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('/');
  await answer(panel, '', commands);
  const { number } = (await asked(panel)).at(-1)!;
  await page.keyboard.type('h');
  await page.keyboard.press('Enter');
  expect(await field(panel).inputValue()).toBe('/h');
  await panel.send({ type: 'completion.told', number, choices: commands, limited: false });
  expect(await field(panel).inputValue()).toBe('/h');
  await expect.poll(async () => (await asked(panel)).at(-1)?.query).toBe('h');
  const newest = (await asked(panel)).at(-1)!.number;
  await panel.send({ type: 'completion.told', number: newest, choices: commands.slice(1), limited: false });
  await expect.poll(() => field(panel).inputValue()).toBe('/help ');
});

for (const { typed, choices } of [
  { typed: '/help', choices: commands.slice(1) },
  { typed: '/helpless', choices: [] },
])
  test(`an Enter that came before the answer sends what has nothing to take: ${typed}`, async ({ open }) => {
    const panel = await open({ state: fold(rested) });
    const { page } = panel;
    await field(panel).focus();
    await page.keyboard.type(typed.slice(0, -1));
    await answer(panel, typed.slice(1, -1), commands);
    await page.keyboard.type(typed.slice(-1));
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await asked(panel)).at(-1)?.query).toBe(typed.slice(1));
    expect(await field(panel).inputValue()).toBe(typed);
    const { number } = (await asked(panel)).at(-1)!;
    await panel.send({ type: 'completion.told', number, choices, limited: false });
    expect((await panel.intention('prompt.send')).text).toBe(typed);
    expect(await field(panel).inputValue()).toBe('');
  });

test('before anything is offered Enter sends, and where nothing is found too', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('hello @ann');
  await answer(panel, 'ann', []);
  await page.getByText('Nothing found for “ann”.').waitFor();
  await page.keyboard.press('Enter');
  expect((await panel.intention('prompt.send')).text).toBe('hello @ann');
  await expect.poll(() => page.locator('.completion').count()).toBe(0);
  await page.keyboard.type('hello @bob');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await panel.intention('prompt.send')).text).toBe('hello @bob');
});

test('a late answer is waited for with a word, and more than fits is said', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('@s');
  await page.getByText('Searching…').waitFor();
  await answer(panel, 's', files, true);
  await page.getByText('More: keep typing').waitFor();
  expect(await page.getByText('Searching…').count()).toBe(0);
});

test('the list goes when the caret leaves the word or the draft is another, and with the focus until that comes back', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  const gone = () => expect.poll(() => page.locator('.completion').count()).toBe(0);
  await field(panel).focus();
  await page.keyboard.type('@in');
  await answer(panel, 'in');
  await page.keyboard.press('ArrowLeft');
  await gone();
  await page.keyboard.press('End');
  await page.keyboard.type('v');
  await answer(panel, 'inv');
  await field(panel).blur();
  await gone();
  const before = (await asked(panel)).length;
  await field(panel).focus();
  // The list comes back with the focus, and asks again: files may have changed meanwhile.
  await expect.poll(async () => (await asked(panel)).length).toBe(before + 1);
  await answer(panel, 'inv');
  await page.keyboard.press('Escape');
  await gone();
  await field(panel).blur();
  await field(panel).focus();
  await page.keyboard.type('o');
  await page.keyboard.press('Backspace');
  await expect.poll(() => page.locator('.completion').count()).toBe(0);
  expect((await asked(panel)).length).toBe(before + 1);
  await page.keyboard.type(' @invo');
  await answer(panel, 'invo');
  await panel.send({
    type: 'composer.filled',
    text: 'again',
    attachments: [],
    hint: 'There is no such command.',
  });
  await gone();
  await page.getByText('There is no such command.').waitFor();
  expect(await field(panel).inputValue()).toBe('again\n\n@inv @invo');
  await page.keyboard.type('!');
  await expect.poll(() => page.getByText('There is no such command.').count()).toBe(0);
});

test('keys of an input method and of the history are left alone', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('@');
  await answer(panel, '');
  await field(panel).evaluate(element => {
    for (const key of ['Enter', 'ArrowDown', 'Escape', 'Tab'])
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }),
      );
  });
  expect(await active(panel)).toContain('invoice.ts');
  expect(await field(panel).inputValue()).toBe('@');
  await page.keyboard.press('Backspace');
  await expect.poll(() => options(panel).count()).toBe(0);
  await page.keyboard.press('ArrowUp');
  expect(await field(panel).inputValue()).toBe('What does total() do?');
});

test('neither a recalled nor a pasted prompt opens the list', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await field(panel).evaluate(element => {
    const pasted = { bubbles: true, inputType: 'insertFromPaste' };
    (element as HTMLTextAreaElement).value = 'thanks @ann';
    element.dispatchEvent(new InputEvent('input', pasted));
  });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowUp');
  expect(await asked(panel)).toEqual([]);
});

test('typing keeps pace with a hundred choices', async ({ open }) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  const many = Array.from({ length: 100 }, (_, index) => ({
    kind: 'file',
    label: `file${index}.ts`,
    insert: `@src/file${index}.ts `,
    detail: 'src',
  })) as readonly CompletionChoice[];
  await field(panel).focus();
  await page.keyboard.type('@');
  await answer(panel, '', many, true);
  await page.keyboard.press('ArrowUp');
  expect(await active(panel)).toContain('file99.ts');
  const isSeen = () =>
    page.locator('.completion-row[aria-selected="true"]').evaluate(row => {
      const list = row.parentElement!.getBoundingClientRect();
      const { top, bottom } = row.getBoundingClientRect();
      return top >= list.top - 1 && bottom <= list.bottom + 1;
    });
  await expect.poll(isSeen).toBe(true);
  const touched = await page.evaluate(async () => {
    const rows = new Set<Node>();
    const observer = new MutationObserver(list => {
      for (const { target } of list) rows.add(target);
    });
    observer.observe(document.querySelector('.completion-list')!, { attributes: true, subtree: true });
    const press = { key: 'ArrowUp', bubbles: true, cancelable: true };
    document.querySelector('textarea')!.dispatchEvent(new KeyboardEvent('keydown', press));
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return rows.size;
  });
  expect(touched).toBe(2);
});

test('files dropped from the explorer become mentions, others are refused with a sentence', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  const drop = (types: Readonly<Record<string, string>>, file?: string) =>
    field(panel).evaluate(
      (element, dropped) => {
        const data = new DataTransfer();
        for (const [type, text] of Object.entries(dropped.types)) data.setData(type, text);
        if (dropped.file) data.items.add(new File(['x'], dropped.file, { type: 'text/plain' }));
        element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      { types, file },
    );
  await field(panel).fill('compare');
  const base = 'file:///home/ann/invoices';
  await drop({ 'text/uri-list': `${base}/src/a.ts\r\n${base}/my%20notes.md` });
  expect(await field(panel).inputValue()).toBe('compare @src/a.ts @"my notes.md" ');
  await drop({ 'application/vnd.code.uri-list': 'file:///etc/passwd' });
  await page.getByText('passwd was not added. It is outside the open folders.').waitFor();
  await drop({}, 'notes.txt');
  await page.getByText('notes.txt was not attached. Type @ and its name', { exact: false }).waitFor();
  expect(await field(panel).inputValue()).toBe('compare @src/a.ts @"my notes.md" ');
});

test('the placeholder says what can be typed, in fewer words where the panel is narrow', async ({ open }) => {
  const wide = await open({ state: fold(rested), width: 420 });
  expect(await field(wide).getAttribute('placeholder')).toBe('Ask Folio…  @ for context, / for commands');
  await wide.page.setViewportSize({ width: 280, height: 600 });
  await expect.poll(() => field(wide).getAttribute('placeholder')).toBe('Ask Folio…  @ context, / commands');
});

test('the list stays inside the panel, however narrow that is', async ({ open }) => {
  const panel = await open({ height: 620, state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('compare @inv');
  await answer(panel, 'inv', long, true);
  for (const width of [280, 300, 420]) {
    await page.setViewportSize({ width, height: 620 });
    const box = (await page.locator('.completion').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y).toBeGreaterThanOrEqual(0);
  }
});

test('a command shows what may follow its name and who brings it, and a long name gives way', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested) });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('/p');
  await answer(panel, 'p', [
    { kind: 'command', label: '/plan', insert: '/plan ', detail: 'Read and plan only', hint: 'what to plan' },
    {
      kind: 'command',
      label: '/openspec:proposal',
      insert: '/openspec:proposal ',
      detail: 'Propose',
      hint: 'arguments',
      source: 'workspace',
    },
    {
      kind: 'command',
      label: `/${'p'.repeat(59)}…`,
      insert: `/${'p'.repeat(90)} `,
      detail: 'A long one',
      source: 'extension cloud-tools',
    },
  ]);
  const texts = await options(panel).allInnerTexts();
  expect(texts[0]!.replace(/\s+/g, ' ')).toBe('/plan what to plan Read and plan only');
  expect(texts[1]!.replace(/\s+/g, ' ')).toBe('/openspec:proposal arguments Propose workspace');
  const row = await options(panel).nth(2).boundingBox();
  const chip = await page.locator('.completion-source').nth(1).boundingBox();
  expect(chip!.width).toBeGreaterThan(20);
  expect(chip!.x + chip!.width).toBeLessThanOrEqual(row!.x + row!.width);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await field(panel).inputValue()).toBe('/openspec:proposal ');
});

test('in a narrow list a name and what it does are whole, and a long description has two lines', async ({
  open,
}) => {
  const panel = await open({ state: fold(rested), width: 280 });
  const { page } = panel;
  await field(panel).focus();
  await page.keyboard.type('/');
  await answer(panel, '', [
    {
      kind: 'command',
      label: '/openspec:proposal',
      insert: '/openspec:proposal ',
      detail: 'Propose',
      hint: '<what>',
      source: 'workspace',
    },
    { ...commands[0]!, detail: 'Summarise the oldest part of the session', hint: '[chapters]' },
    { ...commands[1]!, detail: 'Show what can be asked for, and much more. '.repeat(9) },
    {
      kind: 'file',
      label: 'aVeryLongNameOfAFile.test.ts',
      insert: '@x ',
      detail: 'packages/accounting/src/invoices',
    },
  ]);
  const rows = await options(panel).evaluateAll(all =>
    all.map(row => {
      const isCut = (selector: string) => {
        const part = row.querySelector(selector)!;
        return part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1;
      };
      const lines = Math.round((row.getBoundingClientRect().height - 6) / 18);
      return { name: isCut('.completion-label'), words: isCut('.completion-detail'), lines };
    }),
  );
  expect(rows.slice(0, 3)).toEqual([
    { name: false, words: false, lines: 2 },
    { name: false, words: false, lines: 3 },
    { name: false, words: true, lines: 3 },
  ]);
  expect(rows[3]!.lines).toBe(1);
});
