import { expect, test } from 'vitest';
import { plainTerminalText } from '../../src/extension/base/terminalText.ts';
import { CommandOutput } from '../../src/extension/tools/shell/commandOutput.ts';

test('output within its limits is kept whole', () => {
  const output = new CommandOutput({ head: 4, tail: 6 });
  for (const text of ['abc', 'defg', 'hij']) output.add(text);
  expect(output.read()).toBe('abcdefghij');
});

test('what is lost between start and end is counted', () => {
  const output = new CommandOutput({ head: 4, tail: 6 });
  const all = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, '0'));
  for (const text of all) output.add(text);
  const parts = /^(.{4})\n… (\d+) characters were not kept …\n(.*)$/.exec(output.read());
  expect(parts?.[1]).toBe('0000');
  expect(parts?.[3]?.endsWith('098099')).toBe(true);
  expect(4 + Number(parts?.[2]) + parts![3]!.length).toBe(300);
});

test('one chunk larger than everything keeps its start and end', () => {
  const output = new CommandOutput({ head: 2, tail: 3 });
  output.add('abcdefghij');
  expect(output.read()).toBe('ab\n… 5 characters were not kept …\nhij');
});

test('an endless output stays within a few million characters', () => {
  const output = new CommandOutput();
  const chunk = 'y\n'.repeat(32_000);
  for (let index = 0; index < 1_000; index++) output.add(chunk);
  expect(output.read().length).toBeLessThan(4_200_000);
});

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['window titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b', 'ab'],
  ['overwritten lines', 'one\r\n 10%\r100%\r\nend', 'one\n100%\nend'],
  ['backspaces', 'abc\b\bX', 'aX'],
  ['a bell', 'ding\u0007', 'ding'],
])('%s leave plain text', (_what, raw, plain) => {
  expect(plainTerminalText(raw)).toBe(plain);
});
