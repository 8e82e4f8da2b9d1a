import { expect, test } from 'vitest';
import { PlainHeaders } from '../../../src/extension/models/gemini/plainHeaders.ts';

test('plain headers do as those of the platform do', () => {
  for (const headers of [new PlainHeaders(), new Headers()]) {
    headers.append('X-One', 'a');
    headers.append('x-one', 'b');
    headers.append('X-Two', 'c');
    expect([headers.get('X-ONE'), headers.get('x-three')]).toEqual(['a, b', null]);
    expect([...headers]).toEqual([
      ['x-one', 'a, b'],
      ['x-two', 'c'],
    ]);
  }
});
