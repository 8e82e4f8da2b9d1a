import { describe, expect, test } from 'vitest';
import { chapterFooter } from '../../../src/extension/core/conversation/conversation.ts';
import { fc } from '../../support/properties.ts';

describe('the running chapter at the end of a request', () => {
  test('is not told before there is one', () => {
    expect(chapterFooter(undefined)).toBeUndefined();
    expect(chapterFooter(' \n ')).toBeUndefined();
  });

  test('names the title, and when to start another', () => {
    expect(chapterFooter('Reading "a.ts"')).toMatch(
      /^\[Active Topic: Reading "a.ts"\] .*create_new_topic\.$/,
    );
  });

  test('stays one line with one pair of brackets whatever the title holds', () => {
    const nasty = fc.string({
      unit: fc.constantFrom('[', ']', '\n', '\r', '\u2028', '\0', 'a', ' ', '{', 'é'),
    });
    fc.assert(
      fc.property(nasty, title => {
        const words = chapterFooter(title);
        if (words !== undefined) expect(words).toMatch(/^\[Active Topic: [^[\]{}\r\n\u2028\0]+\] [\w ,.]+$/);
      }),
    );
  });
});
