import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { panelHtml } from '../../src/extension/vscode/panel/panelHtml.ts';

const page = {
  cspSource: 'https://files.example',
  nonce: 'n0nce',
  script: 'https://files.example/main.js?a=1&b="2"',
  style: 'https://files.example/main.css',
  language: { tag: 'en', catalog: {} },
};

function policyOf(html: string): ReadonlyMap<string, string> {
  const content = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  return new Map(
    content.split('; ').map(rule => [rule.split(' ')[0] ?? '', rule.slice(rule.indexOf(' ') + 1)]),
  );
}

test('frames hold pages of this machine, and of the one origin by which VS Code forwards them', () => {
  expect(policyOf(panelHtml(page)).get('frame-src')).toBe('http://127.0.0.1:* http://localhost:*');
  const forwarded = panelHtml({ ...page, frames: 'https://5000.pages.example' });
  expect(policyOf(forwarded).get('frame-src')).toBe(
    'http://127.0.0.1:* http://localhost:* https://5000.pages.example',
  );
});

test('the page loads from its own folder only, runs nothing inline and connects to nowhere', () => {
  const policy = policyOf(panelHtml(page));
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'nonce-n0nce' https://files.example");
  const nothing = createHash('sha256').update('').digest('base64');
  expect(policy.get('style-src')).toBe(`https://files.example 'sha256-${nothing}'`);
  expect(policy.has('connect-src')).toBe(false);
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|(?<!:)\*/);
});

test('the page holds one script, which carries the nonce, and no style or handler of its own', () => {
  const html = panelHtml(page);
  expect(html.match(/<script[^>]*>/g)).toEqual([
    '<script type="module" nonce="n0nce" src="https://files.example/main.js?a=1&amp;b=&quot;2&quot;">',
  ]);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('the page has a title and a language, so that a screen reader can name and speak it', () => {
  const html = panelHtml({ ...page, language: { tag: 'de"><script>', catalog: {} } });
  expect(html).toContain('<title>Folio</title>');
  expect(html).toContain('<html lang="de&quot;>&lt;script>">');
});

test('the page gets the words of its language as data', () => {
  const html = panelHtml({ ...page, language: { tag: 'de', catalog: { 'Say "<b>"': 'Sag „<b>“' } } });
  expect(html).toContain('data-words="{&quot;Say \\&quot;&lt;b>\\&quot;&quot;:&quot;Sag „&lt;b>“&quot;}"');
});
