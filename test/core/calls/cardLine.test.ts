import { describe, expect, test } from 'vitest';
import { hasInvisibleText } from '../../../src/extension/base/hiddenText.ts';
import { sanitiseLine } from '../../../src/extension/base/text.ts';
import { cardLine, refusedTitle } from '../../../src/extension/core/calls/describeCall.ts';

const hostile: readonly (readonly [string, string])[] = [
  ['Edit src/invoice\u202ets.exe', 'Edit src/invoice\\u{202E}ts.exe'],
  ['Read a\u200b.ts', 'Read a\\u{200B}.ts'],
  ['Run ls\u2028rm -rf x', 'Run ls\\u{2028}rm -rf x'],
  ['Read a\u00a0b', 'Read a\\u{A0}b'],
  ['Read \u{e0041}a', 'Read \\u{E0041}a'],
  ['Search for \u0007\u001b[31m', 'Search for \\u{7}\\u{1B}[31m'],
  ['Read \ud800', 'Read \\u{D800}'],
  ['two\nlines', 'two lines'],
  ['Ship it 🚀 👩‍💻', 'Ship it 🚀 👩‍💻'],
];

describe('one line of a card', () => {
  test.each(hostile)('%j shows what is hidden', (text, shown) => {
    expect(cardLine(text)).toBe(shown);
  });

  test('stays within its limit, however much is hidden in it', () => {
    expect(cardLine('\u202e'.repeat(1_000_000), 300)).toHaveLength(300);
  });
});

describe('a title', () => {
  test.each(hostile)('of %j holds nothing hidden', text => {
    expect(hasInvisibleText(sanitiseLine(text, 80))).toBe(false);
    expect(sanitiseLine(text, 80)).not.toContain('\\u');
  });
});

describe('a call whose arguments were refused', () => {
  test.each([
    ['edit_notebook', 'edit', { file_path: 'nb.ipynb' }, 'Edit nb.ipynb'],
    ['read_file', 'read', { file_path: 'a.ts', line: -1 }, 'Read a.ts'],
    ['read_file', 'read', { uri: 'a.ts' }, 'Read file'],
    ['edit_notebook', 'edit', { file_path: 7 }, 'Edit notebook'],
    ['run_shell_command', 'run', { command: 'npm test', timeout: -1 }, 'Run npm test'],
    ['run_shell_command', 'run', { file_path: 'a.sh' }, 'Run shell command'],
  ] as const)('%s (%s) with %j is titled by what is known of it', (name, effect, args, title) => {
    expect(refusedTitle({ name, effect }, args)).toBe(title);
  });

  test('keeps the name that another extension or a server gave its tool', () => {
    expect(refusedTitle({ name: 'look_up', effect: 'edit', schema: {} }, { file_path: 'a.ts' })).toBe(
      'look_up',
    );
  });
});
