import { describe, expect, it } from 'vitest';
import type { ExternalEdit } from '../../src/extension/core/external/externalAgent.ts';
import { formatCommandLine } from '../../src/extension/core/external/externalTerminal.ts';
import { Permits, type PermittedEdit } from '../../src/extension/core/external/permits.ts';

const path = '/w/a.txt';

const permit = (edit: ExternalEdit, isSeen = true): PermittedEdit => ({
  edit,
  callId: 'card',
  title: 'x',
  isSeen,
});

function permitted(shown: readonly [string | null, string], done: readonly [string | null, string]): boolean {
  const permits = new Permits();
  permits.addEdit(permit({ path, before: shown[0], after: shown[1] }));
  return permits.takeEdit({ path, before: done[0], after: done[1] }) !== undefined;
}

describe('a permission for an edit', () => {
  it('holds for the text that was shown, once', () => {
    const permits = new Permits();
    permits.addEdit(permit({ path, before: 'a\n', after: 'b\n' }));
    const done = { path, before: 'a\n', after: 'b\n' };
    expect([permits.takeEdit(done)?.callId, permits.takeEdit(done)]).toEqual(['card', undefined]);
  });

  it('that shows a part of the file holds for that part alone', () => {
    expect(permitted(['b', 'B'], ['a b c', 'a B c'])).toBe(true);
    // The shown text in place of the whole file would drop the rest.
    expect(permitted(['b', 'B'], ['a b c', 'B'])).toBe(false);
    expect(permitted(['b', 'B'], ['b b', 'B b'])).toBe(false);
  });

  it('holds no longer when the file is another one by then', () => {
    expect(permitted(['a\n', 'b\n'], ['mine\n', 'b\n'])).toBe(false);
    expect(permitted([null, 'b\n'], ['mine\n', 'b\n'])).toBe(false);
    expect(permitted([null, 'b\n'], ['', 'b\n'])).toBe(true);
  });
});

describe('what the user saw of a file', () => {
  const seen = (before: string | null, after: string, ...edits: readonly PermittedEdit[]) => {
    const permits = new Permits();
    for (const edit of edits) permits.addEdit(edit);
    return permits.haveSeen({ path, before, after });
  };
  const first = permit({ path, before: 'a', after: 'b' });
  const second = permit({ path, before: 'b', after: 'c' });

  it('is what the edits on cards make of it, one after the other, or the newest of them', () => {
    expect(seen('x a', 'x c', first, second)).toBe(true);
    expect(seen('x b', 'x c', first, second)).toBe(true);
  });

  it('is nothing that anybody changed beside them, and nothing that only a rule allowed', () => {
    expect(seen('x a', 'y c', first, second)).toBe(false);
    expect(seen('x a', 'x b', permit(first.edit, false))).toBe(false);
    expect(seen('x a', 'x a')).toBe(false);
  });
});

it('a permission for a command holds in its folder alone', () => {
  const permits = new Permits();
  permits.addLine('rm -r build', '/w');
  expect(permits.takeLine('rm -r build', '/w/packages')).toBe(false);
  expect(permits.takeLine('rm -r build', '/w')).toBe(true);
});

it('a command and its arguments become one line that the shell takes apart again', () => {
  const command = { command: 'my prog', args: ["it's", 'plain', '$(x)'], env: [] };
  expect(formatCommandLine(command, 'linux')).toBe(`'my prog' 'it'\\''s' plain '$(x)'`);
  expect(formatCommandLine(command, 'win32')).toBe(`& 'my prog' 'it''s' plain '$(x)'`);
  expect(() => formatCommandLine({ command: 'a', args: ['\0'], env: [] }, 'linux')).toThrow(
    'contains a NUL character',
  );
});
