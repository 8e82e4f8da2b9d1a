import { expect, test } from 'vitest';
import { plainTerminalText } from '../../src/extension/base/terminalText.ts';

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['window titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b', 'ab'],
  ['overwritten lines', 'one\r\n 10%\r100%\r\nend', 'one\n100%\nend'],
  ['backspaces', 'abc\b\bX', 'aX'],
  ['a bell', 'ding\u0007', 'ding'],
])('%s leave plain text', (_what, raw, plain) => {
  expect(plainTerminalText(raw)).toBe(plain);
});
