import { expect, test } from 'vitest';
import { plainTerminalText, readableOutput } from '../../src/extension/base/terminalText.ts';

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['window titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b', 'ab'],
  ['overwritten lines', 'one\r\n 10%\r100%\r\nend', 'one\n100%\nend'],
  ['backspaces', 'abc\b\bX', 'aX'],
  [
    'a spinner of npm',
    '\u001b[1G\u001b[0K⠙\u001b[1G\u001b[0K⠹\u001b[1G\u001b[0Kadded 5 packages\r\n',
    'added 5 packages\n',
  ],
  ['a spinner that is gone', 'one\n\u001b[1G⠙\u001b[1G\u001b[0K\ntwo', 'one\n\ntwo'],
  ['erased lines', 'Fetching 10%\u001b[2K\rFetching 100%\u001b[2K\r\ndone', '\ndone'],
  ['lists that are redrawn', 'a 1%\nb 1%\n\u001b[2A\u001b[Ka 9%\n\u001b[Kb 9%\n', 'a 9%\nb 9%\n'],
  ['a display that is erased below', 'one\na\nb\n\u001b[2A\u001b[Jtwo\n', 'one\ntwo\n'],
  ['matches of grep', 'a \u001b[01;31m\u001b[Kb\u001b[m\u001b[K c', 'a b c'],
  ['a bell', 'ding\u0007', 'ding'],
])('%s leave plain text', (_what, raw, plain) => {
  expect(plainTerminalText(raw)).toBe(plain);
});

test.each([
  ['names from find', './a b\0./c\nd\0', './a b\n./c\nd'],
  ['coloured records', '\u001b[31mred\u001b[0m\0blue\0', '\u001b[31mred\u001b[0m\nblue'],
  ['UTF-16 through a terminal', '\ufffd\ufffdD\0i\0s\0t\0r\0o\0\r\n\0', 'Distro\r\n'],
  ['an empty record among others', 'one\0\0three\0', 'one\n\nthree'],
])('%s are lines', (_what, raw, readable) => {
  expect(readableOutput(raw)).toBe(readable);
});

test.each([
  ['a program', '\u007fELF\u0002\u0001\u0001\0\0\0\0text of it\0'],
  ['bytes that no character has', 'PNG\ufffd\0rest of it\0'],
  ['a file of zeros', '\0'.repeat(50)],
])('%s is binary', (_what, raw) => {
  expect(readableOutput(raw)).toBeUndefined();
});
