import { expect, test } from 'vitest';
import { applyPatches, findPatches } from '../../src/protocol/panel/patches.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(1, 2, true, null),
    fc.string({ maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('id', 'a', 'b', '__proto__', 'constructor'), tie('value')),
  ),
}));

function asSent(patches: unknown) {
  return JSON.parse(JSON.stringify(patches));
}

test('what is found between two values leads from the one to the other, over any wire', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      expect(applyPatches(before, asSent(findPatches(before, after)))).toEqual(after);
    }),
    { numRuns: runSize({ test: 300, prove: 50_000 }) },
  );
});

test('values that say the same differ in nothing, and what is not touched stays the same object', () => {
  const before = { list: [{ id: 'a', text: 'one' }, { id: 'b' }], more: { deep: [1] } };
  expect(findPatches(before, structuredClone(before))).toEqual([]);
  const after = { ...before, list: [{ id: 'a', text: 'one two' }, before.list[1]!] };
  const patched = applyPatches(before, findPatches(before, after));
  expect(patched).toEqual(after);
  expect(patched.more).toBe(before.more);
  expect(patched.list[1]).toBe(before.list[1]);
});

test('a text that grows is told by what was added, also when its beginning is left behind', () => {
  const lines = Array.from({ length: 60 }, (_, number) => `line ${number}\n`);
  const [before, grown] = [lines.slice(0, 40).join(''), lines.slice(0, 41).join('')];
  expect(findPatches({ before }, { before: grown })).toEqual([
    { kind: 'text', at: ['before'], from: 0, add: 'line 40\n' },
  ]);
  const slid = lines.slice(2, 42).join('');
  const [patch] = findPatches(before, slid);
  expect(patch).toMatchObject({ kind: 'text', from: 14, add: 'line 40\nline 41\n' });
  expect(applyPatches(before, [patch!])).toBe(slid);
});

test('of a list only what went and came is told', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(id => ({ id, words: 'many words' }));
  expect(findPatches([a, b, c], [a, c])).toEqual([{ kind: 'list', at: [], start: 1, gone: 1, come: [] }]);
  expect(findPatches([a, b], [a, b, c, d])).toEqual([
    { kind: 'list', at: [], start: 2, gone: 0, come: [c, d] },
  ]);
});
