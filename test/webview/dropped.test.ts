import { describe, expect, test } from 'vitest';
import { formatMention as ofHost } from '../../src/extension/core/mentions/formatMention.ts';
import { formatMention, mentionOf, pathsIn } from '../../src/webview/composer/dropped.ts';

/** As much of a browser's data transfer as is checked. */
function transfer(types: Readonly<Record<string, string>>): DataTransfer {
  return { getData: (type: string) => types[type] ?? '' } as DataTransfer;
}

describe('what is dropped', () => {
  test('names files by their addresses, each once, whatever else is in the list', () => {
    const list = '# comment\r\nfile:///home/ann/a%20b.ts\r\nhttps://x.y/z\r\nfile:///home/ann/a%20b.ts\r\n';
    expect(pathsIn(transfer({ 'text/uri-list': list }))).toEqual(['/home/ann/a b.ts']);
    const own = 'vscode-remote://wsl%2Bubuntu/home/ann/c.ts\nfile:///c%3A/code/d.ts';
    expect(pathsIn(transfer({ 'application/vnd.code.uri-list': own, 'text/uri-list': list }))).toEqual([
      '/home/ann/c.ts',
      'c:/code/d.ts',
    ]);
    for (const machine of ['ssh-remote%2Bhost', 'dev-container%2B7b', 'tunnel%2Bhost', 'localhost:8080'])
      expect(
        pathsIn(transfer({ 'application/vnd.code.uri-list': `vscode-remote://${machine}/srv/a%20b.ts` })),
      ).toEqual(['/srv/a b.ts']);
    expect(pathsIn(transfer({ 'text/uri-list': 'https://x.y/z' }))).toEqual([]);
    expect(pathsIn(transfer({ 'text/uri-list': 'file:///%E0%A4%A' }))).toEqual([]);
    expect(pathsIn(null)).toEqual([]);
  });

  test('becomes a mention relative to the first folder, absolute in another, nothing outside', () => {
    const folders = ['/home/ann/invoices', '/home/ann/lib/'];
    expect(mentionOf('/home/ann/invoices/src/a.ts', folders)).toBe('@src/a.ts');
    expect(mentionOf('/home/ann/invoices/my notes.md', folders)).toBe('@"my notes.md"');
    expect(mentionOf('/home/ann/invoices/', folders)).toBe('@"."');
    expect(mentionOf('/home/ann/lib/b.ts', folders)).toBe('@/home/ann/lib/b.ts');
    expect(mentionOf('/home/ann/invoices-old/a.ts', folders)).toBeUndefined();
    expect(mentionOf('/etc/passwd', folders)).toBeUndefined();
    expect(mentionOf('/etc/passwd', [])).toBeUndefined();
    expect(mentionOf('C:/Work/src/a.ts', ['c:\\work'])).toBe('@src/a.ts');
  });

  test('is written as the host reads it', () => {
    for (const path of [
      'a/b.ts',
      'my a.ts',
      'say "x".md',
      'back\\slash',
      'diff',
      'diff/x',
      'ü/é.ts',
      'a,',
      'x.',
      '.',
    ])
      expect(formatMention(path), path).toBe(ofHost(path));
  });
});
