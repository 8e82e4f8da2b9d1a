import { expect, test } from 'vitest';
import { keepSame } from '../../src/webview/keepSame.ts';
import { fc } from '../support/properties.ts';

test('it says what the new one says, and a copy is the old object', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, next) => {
      expect(keepSame(before, next)).toEqual(next);
      if (typeof before === 'object') expect(keepSame(before, structuredClone(before))).toBe(before);
    }),
  );
});

test('parts that say the same stay the same objects, also where others changed', () => {
  const before = { list: [{ id: 'a' }, { id: 'b' }], name: 'x', gone: 1 };
  const next = keepSame<object>(before, { list: [{ id: 'a' }, { id: 'c' }, { id: 'd' }], name: 'x' });
  expect(next).toEqual({ list: [{ id: 'a' }, { id: 'c' }, { id: 'd' }], name: 'x' });
  expect((next as typeof before).list[0]).toBe(before.list[0]);
});

test('a list and an object with numbers for names are two things', () => {
  expect(keepSame(['a'], { 0: 'a' })).toEqual({ 0: 'a' });
  expect(keepSame({ 0: 'a' }, ['a'])).toEqual(['a']);
});

test('a name that objects have of their own is a name like any other', () => {
  const next = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
  expect(Object.keys(keepSame({ b: 1 }, next))).toEqual(['__proto__', 'constructor']);
  expect(keepSame({}, JSON.parse('{"toString":{}}'))).not.toBe(Object.prototype);
});
