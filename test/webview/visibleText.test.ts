import { expect, test } from 'vitest';
import { showHidden } from '../../src/extension/base/hiddenText.ts';
import { visibleText } from '../../src/webview/approval/visibleText.ts';

test('the panel and the host write out the same characters', () => {
  const differing: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = `a${String.fromCodePoint(code)}b`;
    if (visibleText(text) !== showHidden(text)) differing.push(code.toString(16));
  }
  expect(differing).toEqual([]);
  expect(visibleText('rm \u202Ea\u00A0b\u{E0041}')).toBe('rm \\u{202E}a\\u{A0}b\\u{E0041}');
});

test('pictures stay whole, and what joins them is written out anywhere else', () => {
  expect(visibleText('👩‍💻 ✔️ 👍🏽‍❤️')).toBe('👩‍💻 ✔️ 👍🏽‍❤️');
  expect(visibleText('a\u200Db\uFE0F')).toBe('a\\u{200D}b\\u{FE0F}');
});

test('line breaks and tabs stay, a lone carriage return does not', () => {
  expect(visibleText('a\tb\r\nc\n')).toBe('a\tb\r\nc\n');
  expect(visibleText('safe\rrm')).toBe('safe\\u{D}rm');
});
