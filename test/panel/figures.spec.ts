import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { SessionState } from '../../src/protocol/state.ts';
import { charts, diagrams } from './figureScenes.ts';
import { fold, journal, prompt, started, step, text } from './journal.ts';
import { test } from './suite.ts';

function answering(...parts: readonly string[]): SessionState {
  return fold([started, prompt('t1', 'Draw'), step('s1', 1), ...parts.map(part => text('s1', part))]);
}

const fence = (code: string, kind = 'mermaid') => `\`\`\`${kind}\n${code}\n\`\`\`\n`;
const simple = 'flowchart LR\n  A[Ask] -->|then| B[Build]';

function texts(page: Page): Promise<readonly string[]> {
  return page.locator('.figure-view svg').first().locator('text').allTextContents();
}

test('a diagram is drawn once its fence is closed, and not while it grows', async ({ open }) => {
  const panel = await open({ state: answering('Here:\n\n```mermaid\n', `${simple}\n`) });
  const { page } = panel;
  await page.locator('.code-block').getByText('flowchart LR').waitFor();
  expect(await page.locator('.figure').count()).toBe(0);
  await panel.play(journal([text('s1', '```')], 5));
  await page.getByRole('img', { name: 'Diagram: Ask, Build' }).waitFor();
  expect(await texts(page)).toEqual(['then', 'Ask', 'Build']);
  expect(await panel.problems()).toEqual([]);
});

test('what cannot be drawn is shown as its source, with the reason', async ({ open }) => {
  const kinds = [
    fence('flowchart TD\n  A --> B\n  nothing here'),
    fence('gantt\n  title Plan'),
    fence('{', 'chart'),
  ];
  const panel = await open({ state: answering(`${kinds.join('\n')}\nEnd.`) });
  const { page } = panel;
  await page.getByText('Line 3 cannot be read: nothing here').waitFor();
  await page.getByText('Diagrams of the kind “gantt” are not drawn', { exact: false }).waitFor();
  await page.getByText('The chart is not valid JSON', { exact: false }).waitFor();
  expect(await page.locator('.figure code').allTextContents()).toEqual([
    'flowchart TD\n  A --> B\n  nothing here\n',
    'gantt\n  title Plan\n',
    '{\n',
  ]);
  expect(await page.locator('.figure svg').count()).toBe(0);
  expect(await panel.problems()).toEqual([]);
});

test('the source is a press away, and is copied as it was written', async ({ open }) => {
  const { page, intention } = await open({ state: answering(fence(simple)) });
  await page.getByRole('img').waitFor();
  await page.getByRole('button', { name: 'Copy source' }).click();
  expect((await intention('text.copy')).text).toBe(simple);
  const toggle = page.getByRole('button', { name: 'Show source' });
  await toggle.press('Enter');
  await page.locator('.figure code').getByText('flowchart LR').waitFor();
  expect(await toggle.getAttribute('aria-pressed')).toBe('true');
  await toggle.press('Enter');
  await page.getByRole('img').waitFor();
});

test('a figure opens over the page, grows by keys, and closes on Escape', async ({ open }) => {
  const { page } = await open({ state: answering(fence(simple)) });
  await page.getByRole('button', { name: 'Open large' }).click();
  const dialog = page.getByRole('dialog', { name: 'Diagram: Ask, Build' });
  await dialog.getByRole('img').waitFor();
  const width = () => dialog.locator('svg').evaluate(svg => svg.getBoundingClientRect().width);
  for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('+');
  const large = await width();
  await page.keyboard.press('-');
  await expect.poll(width).toBeLessThan(large);
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Open large');
});

test('a figure is copied as a picture in the colours of the theme', async ({ open }) => {
  const { page } = await open({ state: answering(fence(simple)), theme: 'light' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as picture' }).click();
  await page.locator('.figure .codicon-check').waitFor();
  const picture = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const bitmap = await createImageBitmap(await item!.getType('image/png'));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<string>();
    for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 4).join(' '));
    return { width: bitmap.width, first: [...data.slice(0, 4)], colours: colours.size };
  });
  const drawn = await page.locator('.figure-view svg').evaluate(svg => Number(svg.getAttribute('width')));
  expect(picture.width).toBe(Math.ceil(drawn * 2));
  expect(picture.first).toEqual([255, 255, 255, 255]);
  expect(picture.colours).toBeGreaterThan(5);
});

test('a hostile diagram runs, loads and covers nothing, and does not hold up the page', async ({ open }) => {
  const evil = 'https://evil.example';
  const hostile = [
    'flowchart TD\nA["<img src=x onerror=window.hacked=1>"] --> B["<script>window.hacked=2</script>"]\nclick A "javascript:window.hacked=3"',
    `%%{init: {"securityLevel": "loose", "themeCSS": "@import url(${evil}/x.css); * { position: fixed }"}}%%\nflowchart TD\nA --> B\nclick A href "${evil}"\nclick B call window.hacked()`,
    `flowchart TD\nA["</text></svg><iframe src=${evil}></iframe>"] --> B@{ img: "${evil}/x.png", label: "B" }\nstyle A fill:url(${evil}/y.svg)`,
    `sequenceDiagram\nparticipant A as <a href="javascript:window.hacked=4">Ann</a>\nlink A: Site @ ${evil}\nA->>B: <svg onload=window.hacked=5>`,
    'classDiagram\nclass A["<foreignObject><body onload=window.hacked=6>"]\nA : <style>*{display:none}</style>\ncallback A "hacked"',
    `flowchart TD\n${Array.from({ length: 900 }, (_, at) => `N${at}-->M${at}`).join('\n')}`,
    `flowchart TD\nA${'-'.repeat(990)}x`,
    `flowchart TD\nA[${'['.repeat(900)}`,
    `erDiagram\nA {\n${'string x\n'.repeat(1_200)}}`,
    `stateDiagram-v2\n${Array.from({ length: 90 }, (_, at) => `state S${at} {`).join('\n')}\nX --> Y`,
  ].map(code => fence(code));
  const bombs = [
    fence(
      JSON.stringify({
        labels: ['<b>'],
        series: [{ name: '"><script>window.hacked=7</script>', values: [1e308] }],
      }),
      'chart',
    ),
    fence('{"__proto__": {"kind": "pie"}, "labels": ["a"], "series": [{"values": [-1e308]}]}', 'chart'),
    fence('pie\n"</title><script>window.hacked=8</script>" : 3'),
  ];
  const panel = await open({ state: answering([...hostile, ...bombs].join('\n'), '\nThe end.') });
  const { page } = panel;
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  for (const figure of await page.locator('.figure').all()) {
    await figure.scrollIntoViewIfNeeded();
    await figure.locator('svg, .figure-problem').first().waitFor();
  }
  await page.locator('.answer-block').getByText('The end.').waitFor();
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('.figure svg *'))
      for (const type of ['click', 'load', 'error', 'mouseover', 'focus'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  });
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  const names = await page.locator('.figure-view svg *').evaluateAll(all => all.map(each => each.tagName));
  expect(
    [...new Set(names)].filter(name => !['g', 'path', 'rect', 'circle', 'text', 'title'].includes(name)),
  ).toEqual([]);
  const attributes = await page
    .locator('.figure-view svg *')
    .evaluateAll(all => all.flatMap(each => each.getAttributeNames()));
  expect([...new Set(attributes)].filter(name => /^on|href|style|^id$|^name$/.test(name))).toEqual([]);
  expect(asked.filter(address => address.startsWith(evil))).toEqual([]);
  expect(await panel.problems()).toEqual([]);
  await page.getByRole('textbox', { name: 'Ask Folio' }).fill('still here');
});

test('figures fit a narrow panel in every theme, and their text can be told from its ground', async ({
  open,
}) => {
  for (const theme of ['dark', 'light', 'contrast', 'contrastLight'] as const) {
    for (const events of [diagrams, charts]) {
      const panel = await open({ state: fold(events), theme, width: 300 });
      await panel.page.locator('.figure-view svg').last().waitFor();
      const wide = await panel.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(300);
      const [ink, ground] = await panel.page.evaluate(() => {
        const label = document.querySelector('.figure-text')!;
        return [getComputedStyle(label).fill, getComputedStyle(label.closest('.figure')!).backgroundColor];
      });
      expect(ink).not.toBe(ground);
      await panel.close();
    }
  }
});
