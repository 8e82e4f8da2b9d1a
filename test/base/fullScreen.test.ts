import { expect, test } from 'vitest';
import {
  alternateScreenPlaceholder,
  makeAlternateScreenFilter,
} from '../../src/extension/base/fullScreen.ts';

const away = '\u001b[?1049h';
const back = '\u001b[?1049l';

function through(...pieces: string[]): string {
  const screens = makeAlternateScreenFilter();
  return pieces.map(screens.add).join('') + screens.end();
}

test('what a full-screen program draws is a sentence, and what stands around it stays', () => {
  expect(through(`before\n${away}\u001b[Hdrawn${back}after\n`)).toBe(
    `before\n${alternateScreenPlaceholder}after\n`,
  );
  expect(through(`one${away}never left`)).toBe(`one${alternateScreenPlaceholder}`);
});

test('wherever the output is cut into pieces, the same is left', () => {
  const whole = `a\u001b[32mb\u001b[0m${away}x\u001b[?25ly${back}c${away}z${back}\u001b[?2004hd\u001b`;
  const expected = `a\u001b[32mb\u001b[0m${alternateScreenPlaceholder}c${alternateScreenPlaceholder}\u001b[?2004hd\u001b`;
  expect(through(whole)).toBe(expected);
  expect(through(...whole)).toBe(expected);
  for (let cut = 0; cut <= whole.length; cut += 1)
    expect(through(whole.slice(0, cut), whole.slice(cut))).toBe(expected);
});
