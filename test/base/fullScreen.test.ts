import { expect, test } from 'vitest';
import { fullScreenFilter, fullScreenNote } from '../../src/extension/base/fullScreen.ts';

const away = '\u001b[?1049h';
const back = '\u001b[?1049l';

function through(...pieces: string[]): string {
  const screens = fullScreenFilter();
  return pieces.map(screens.add).join('') + screens.end();
}

test('what a full-screen program draws is a sentence, and what stands around it stays', () => {
  expect(through(`before\n${away}\u001b[Hdrawn${back}after\n`)).toBe(`before\n${fullScreenNote}after\n`);
  expect(through(`one${away}never left`)).toBe(`one${fullScreenNote}`);
});

test('wherever the output is cut into pieces, the same is left', () => {
  const whole = `a\u001b[32mb\u001b[0m${away}x\u001b[?25ly${back}c${away}z${back}\u001b[?2004hd\u001b`;
  const expected = `a\u001b[32mb\u001b[0m${fullScreenNote}c${fullScreenNote}\u001b[?2004hd\u001b`;
  expect(through(whole)).toBe(expected);
  expect(through(...whole)).toBe(expected);
  for (let cut = 0; cut <= whole.length; cut += 1)
    expect(through(whole.slice(0, cut), whole.slice(cut))).toBe(expected);
});
