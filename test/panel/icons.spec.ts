import { expect } from 'vitest';
import { fold, started } from './journal.ts';
import { test } from './suite.ts';

test('the font holds each icon that a style names', async ({ open }) => {
  const { page } = await open({ state: fold([started]) });
  const { icons, blank } = await page.evaluate(async () => {
    await document.fonts.load('32px codicon', '\uea60');
    const canvas = document.createElement('canvas');
    const [width, height] = [64, 64];
    Object.assign(canvas, { width, height });
    const paper = canvas.getContext('2d', { willReadFrequently: true })!;
    const draw = (letter: string) => {
      paper.clearRect(0, 0, width, height);
      paper.font = '32px codicon';
      paper.fillText(letter, 16, 48);
      return paper.getImageData(0, 0, width, height).data.join();
    };
    const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]);
    const named = rules.flatMap(rule => {
      const letter = rule instanceof CSSStyleRule ? rule.style.content.replaceAll('"', '') : '';
      const [, name] = /^\.codicon-([\w-]+)::before$/.exec((rule as CSSStyleRule).selectorText ?? '') ?? [];
      return name ? [[name, draw(letter)] as const] : [];
    });
    return { icons: named, blank: [draw(' '), draw('\u{f8ff}')] };
  });
  expect(icons.length).toBeGreaterThan(30);
  expect(icons.filter(([, picture]) => blank.includes(picture)).map(([name]) => name)).toEqual([]);
});
