import { describe, expect, test } from 'vitest';
import {
  findTrigger,
  isAlreadyWritten,
  replacementFor,
} from '../../src/webview/composer/completionTrigger.ts';

/** The bar is the caret. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { text, place: findTrigger(text, caret) };
}

function found(marked: string): string | undefined {
  const { place } = at(marked);
  return place && place.trigger + place.query;
}

describe('what can be completed', () => {
  test('is a word that begins with an at sign', () => {
    expect(found('@|')).toBe('@');
    expect(found('look at @src/in| please')).toBe('@src/in');
    expect(found('line\n(@inv|')).toBe('@inv');
    expect(found('@a.ts and @b|')).toBe('@b');
    expect(found('日本語@src|')).toBe('@src');
    expect(found('@types/@nod|')).toBe('@types/@nod');
  });

  test('is a name in quotes or with an escaped space', () => {
    expect(found('see @"my fol|')).toBe('@"my fol');
    expect(found('see @my\\ fol|')).toBe('@my\\ fol');
    expect(found('see @"my folder" and|')).toBeUndefined();
  });

  test('is no mail address, version, finished word or code', () => {
    for (const marked of [
      'ann@exa|',
      'pkg@1|',
      'a @b c|',
      'a\\@b|',
      'use `@inje|',
      '```\n@Injec|',
      '~~~ts\nx\n@a|',
      'a|',
      '|@a',
    ])
      expect(found(marked), marked).toBeUndefined();
    expect(found('```\n@x\n```\n@a|')).toBe('@a');
    expect(found('`@x` and @a|')).toBe('@a');
    expect(found('one ` alone\n@a|')).toBe('@a');
  });

  test('is a command only at the beginning of the prompt', () => {
    expect(found('/|')).toBe('/');
    expect(found('/comp|')).toBe('/comp');
    for (const marked of ['a /comp|', '/usr/bi|', '//|', '/init x y|', '/init\nx|', '/ x|', '|/', '\n/a|'])
      expect(found(marked), marked).toBeUndefined();
    expect(found('/init @sr|')).toBe('@sr');
  });

  test('is also the word behind the name of a command', () => {
    expect(found('/memory |')).toBe('/memory ');
    expect(found('/memory sh|')).toBe('/memory sh');
    const { place } = at('/memory |');
    const choice = (insert: string) => ({ kind: 'command', label: insert.trim(), insert }) as const;
    expect(isAlreadyWritten(place!, choice('/memory '))).toBe(true);
    expect(isAlreadyWritten(place!, choice('/memory show '))).toBe(false);
  });
});

describe('what a choice makes of it', () => {
  const take = (marked: string, insert: string): string => {
    const { text, place } = at(marked);
    const {
      start,
      end,
      text: with_,
      caret,
    } = replacementFor(text, place!, { kind: 'file', label: 'x', insert });
    const after = text.slice(0, start) + with_ + text.slice(end);
    return `${after.slice(0, caret)}|${after.slice(caret)}`;
  };

  test('stands in place of trigger and query, with one space behind', () => {
    expect(take('see @in|', '@src/invoice.ts ')).toBe('see @src/invoice.ts |');
    expect(take('see @in| now', '@src/invoice.ts ')).toBe('see @src/invoice.ts |now');
    expect(take('see @in|, now', '@src/invoice.ts ')).toBe('see @src/invoice.ts |, now');
    expect(take('/c|', '/compress ')).toBe('/compress |');
  });

  test('of a folder leaves the caret where its name continues', () => {
    expect(take('@s|', '@src/')).toBe('@src/|');
    expect(take('@m|', '@"my folder/"')).toBe('@"my folder/|"');
    expect(take('@"my folder/|"', '@"my folder/deep/"')).toBe('@"my folder/deep/|"');
    expect(take('@"my folder/a|"', '@"my folder/a.ts" ')).toBe('@"my folder/a.ts" |');
  });

  test('is nothing where all of it stands there', () => {
    const { place } = at('/help|');
    expect(isAlreadyWritten(place!, { kind: 'command', label: '/help', insert: '/help ' })).toBe(true);
    expect(isAlreadyWritten(place!, { kind: 'command', label: '/hello', insert: '/hello ' })).toBe(false);
    expect(isAlreadyWritten(at('/HELP|').place!, { kind: 'command', label: '/help', insert: '/help ' })).toBe(
      true,
    );
    expect(isAlreadyWritten(at('@A.ts|').place!, { kind: 'file', label: 'a.ts', insert: '@a.ts ' })).toBe(
      false,
    );
  });
});
