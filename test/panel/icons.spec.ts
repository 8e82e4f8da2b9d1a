import { expect } from 'vitest';
import { icons } from '../../src/webview/ui/icons.ts';
import { fold, started } from './journal.ts';
import { test } from './suite.ts';

test('the font holds each icon that the panel names', async ({ open }) => {
  const { page } = await open({ state: fold([started]) });
  const { drawn, blank } = await page.evaluate(async named => {
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
    const drawn = Object.entries(named).map(([name, letter]) => [name, draw(letter)] as const);
    return { drawn, blank: [draw(' '), draw('\u{f8ff}')] };
  }, icons);
  expect(drawn.filter(([, picture]) => blank.includes(picture)).map(([name]) => name)).toEqual([]);
});
