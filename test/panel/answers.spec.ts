import { expect } from 'vitest';
import type { SessionState } from '../../src/protocol/state.ts';
import { runSize } from '../support/runSize.ts';
import { fold, journal, prompt, started, step, text } from './journal.ts';
import { test } from './suite.ts';

function answering(...parts: readonly string[]): SessionState {
  return fold([started, prompt('t1', 'Hello'), step('s1', 1), ...parts.map(part => text('s1', part))]);
}

test('nothing in an answer can run, load or style', async ({ open }) => {
  const answer = [
    '<img src=x onerror="window.hacked = 1">',
    '<script>window.hacked = 2</script>',
    '[a](javascript:window.hacked=3) <a href="javascript:window.hacked=4">b</a>',
    '[c](data:text/html,<script>window.hacked=5</script>) [d](vscode:extension/evil) [e](command:evil)',
    '![tracker](https://evil.example/pixel.png)',
    '<svg onload="window.hacked = 6"></svg> <iframe src="https://evil.example"></iframe>',
    '<p style="position:fixed;inset:0" onclick="window.hacked = 7">styled</p>',
    '<form action="https://evil.example"><input name="key"><button>Send</button></form>',
  ].join('\n\n');
  const panel = await open({ state: answering(answer) });
  const { page } = panel;
  await page.locator('.answer-block').getByText('styled').click();
  for (const word of ['a', 'b', 'c', 'd', 'e'])
    for (const link of await page.locator('.answer').getByText(word, { exact: true }).all())
      await link.click();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  const forbidden =
    '.answer :is(img, script, svg, iframe, form, style, [style], [onclick], [onerror], [name])';
  expect(await page.locator(forbidden).count()).toBe(0);
  const schemes = await page
    .locator('.answer a')
    .evaluateAll(links => links.map(link => link.getAttribute('href')));
  expect(schemes.filter(href => href && !href.startsWith('https:'))).toEqual([]);
  expect((await panel.intentions()).map(each => each.type)).toEqual(['panel.ready', 'panel.inbox']);
  expect(await panel.problems()).toEqual([]);
});

test('links go to the host: addresses to the browser, paths to the editor', async ({ open }) => {
  const { page, intention } = await open({
    state: answering('[docs](https://example.com/a?b=c), `src/invoice.ts:12`, [it](./src/My%20File.ts#L7)'),
  });
  const address = page.url();
  await page.getByRole('link', { name: 'docs' }).click();
  expect((await intention('link.open')).url).toBe('https://example.com/a?b=c');
  await page.getByRole('link', { name: 'src/invoice.ts:12' }).click();
  expect(await intention('file.open')).toEqual({ type: 'file.open', path: 'src/invoice.ts', line: 12 });
  await page.getByRole('link', { name: 'it', exact: true }).click();
  await expect
    .poll(() => intention('file.open'))
    .toEqual({ type: 'file.open', path: './src/My File.ts', line: 7 });
  expect(page.url()).toBe(address);
});

test('code is labelled, coloured and copied as it was written', async ({ open }) => {
  const code = 'const answer = "<b>42</b>"; // & more\n';
  const { page, intention } = await open({ state: answering(`\`\`\`ts\n${code}\`\`\`\n`) });
  await page.locator('.hljs-keyword').waitFor();
  expect(await page.locator('.code-language').textContent()).toBe('ts');
  await page.getByRole('button', { name: 'Copy code' }).click();
  expect((await intention('text.copy')).text).toBe(code);
});

test('JavaScript is coloured under each of its names', async ({ open }) => {
  const names = ['javascript', 'js', 'jsx', 'mjs', 'cjs'];
  const code = 'export const answer = async () => <p>{/* 42 */ 42}</p>;\n';
  const answer = names.map(name => `\`\`\`${name}\n${code}\`\`\`\n`).join('\n');
  const { page } = await open({ state: answering(answer) });
  const coloured = page.locator('.code-block', { has: page.locator('.hljs-keyword') });
  await expect.poll(() => coloured.count()).toBe(names.length);
});

test('code that was cut because it grew too long is copied whole, from any of its pieces', async ({
  open,
}) => {
  const long = `// ${'x'.repeat(8_000)} `;
  const lines = Array.from({ length: 1_500 }, (_, index) => `const value${index} = ${index};\n`).join('');
  const code = `${lines}${long}${long}${long}\n`;
  const panel = await open({ state: answering('Here:\n\n```ts\n', code) });
  const copies = panel.page.getByRole('button', { name: 'Copy code' });
  await expect.poll(() => copies.count()).toBeGreaterThan(3);
  await panel.play(journal([text('s1', '```\n\nAnd:\n\n```ts\nconst b = 1;\n```\n')], 5));
  await expect.poll(() => panel.page.locator('.code-block').last().textContent()).toContain('const b');
  const pieces = await copies.count();
  await copies.evaluateAll((all: HTMLElement[]) => {
    for (const each of all) each.click();
  });
  const copied = (await panel.intentions()).flatMap(each => (each.type === 'text.copy' ? [each.text] : []));
  expect(copied).toHaveLength(pieces);
  for (const each of copied.slice(0, -1)) expect(each === code).toBe(true);
  expect(copied.at(-1)).toBe('const b = 1;\n');
});

test('only the first line of an answer makes room for its buttons', async ({ open }) => {
  const blocks = ['```js', 'const rounded = roundCents(net + tax);', '```'].join('\n');
  const { page } = await open({ state: answering(`First.\n\n${blocks}\n\n- One\n\nLast.`), width: 300 });
  await page.locator('.code-block').waitFor();
  const widths = await page
    .locator('.answer, .code-block')
    .evaluateAll(all => all.map(each => each.clientWidth));
  expect(widths[0]! - widths[1]!).toBeLessThan(8);
});

test('nothing of another session is left in an answer at the same place', async ({ open }) => {
  const { page, show } = await open({
    state: answering('First session.\n\nIts second paragraph.\n\nIts end.'),
  });
  await page.locator('.answer-block').getByText('Its end.').waitFor();
  const other = answering('Other session, which says more.\n\nAnd continues for a while.\n\nThe other end.');
  await show({ ...other, sessionId: 'session-2' });
  await page.locator('.answer-block').getByText('The other end.').waitFor();
  const shown = await page.locator('.answer').textContent();
  expect(shown?.replace(/\s+/g, ' ').trim()).toBe(
    'Other session, which says more. And continues for a while. The other end.',
  );
});

test('an answer is readable as plain text while the renderer is on its way', async ({ open }) => {
  const { page } = await open({ state: answering('# Title\n\nSome **bold** words.'), refuse: /markdown/ });
  await page.getByText('Some **bold** words.', { exact: false }).waitFor();
});

test('an answer that streams in small pieces looks like the same answer at once', async ({ open }) => {
  const answer =
    'Intro with `code` and **bold**.\n\n- one\n- two\n\n  still two\n- three\n\n' +
    '```py\ndef f():\n\n    return 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. x\n\n   ```\n   y\n   ```\n\nEnd.';
  const whole = await open({ state: answering(answer) });
  const streamed = await open({ state: answering() });
  const base = 3;
  for (let at = 0; at < answer.length; at += 7)
    await streamed.play(journal([text('s1', answer.slice(at, at + 7))], base + at / 7));
  const views = (panel: typeof whole) =>
    panel.page
      .locator('.answer')
      .evaluate(each =>
        [...each.querySelectorAll('p, li, pre, td, th')].map(
          part => `${part.tagName} ${part.textContent.trim()}`,
        ),
      );
  await whole.page.locator('.answer-block').getByText('End.').waitFor();
  await streamed.page.locator('.answer-block').getByText('End.').waitFor();
  expect(await views(streamed)).toEqual(await views(whole));
});

test('a very long answer in thousands of pieces arrives whole and leaves the composer usable', async ({
  open,
}) => {
  const panel = await open({ state: answering('It begins. ') });
  const { page } = panel;
  const words = 'The quick brown fox jumps over the lazy dog and `src/fox.ts:1` says so, again and again. ';
  // Two megabytes in the proof.
  const pieces = runSize({ test: 3_000, prove: 20_000 });
  await page.evaluate(
    ([piece, count]) => {
      const at = ['chapters', 0, 'items', 'pages', 0, 1, 'text'];
      let sent = 0;
      const post = () => {
        for (let index = 0; index < 200 && sent < count; index++) {
          sent++;
          const add = `${piece}${sent % 40 === 0 ? '\n\n' : ''}`;
          window.postMessage({ type: 'session.changed', patches: [{ kind: 'text', at, from: 0, add }] }, '*');
        }
        if (sent < count) setTimeout(post, 0);
      };
      post();
    },
    [words.padEnd(100, '.'), pieces] as const,
  );
  const box = page.getByRole('textbox', { name: 'Ask Folio' });
  await box.focus();
  await page.keyboard.type('typed while it streams');
  expect(await box.inputValue()).toBe('typed while it streams');
  await expect
    .poll(() => page.locator('.answer').evaluate(each => each.textContent.length), { timeout: 150_000 })
    .toBeGreaterThan(pieces * 95);
});
