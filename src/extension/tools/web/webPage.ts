/* Converts a web response to text for a model. */

import { headOf } from '../../base/text.ts';
import type { HttpResponse } from '../../platform/http/http.ts';

/** Decodes a response, and converts HTML to plain text. Returns `undefined` if it is not text. */
export async function responseToText(response: HttpResponse): Promise<string | undefined> {
  const [type = ''] = response.contentType.split(';', 1);
  const kind = type.trim();
  const isHtml = kind === 'text/html' || kind === 'application/xhtml+xml';
  if (!isHtml && !isText(kind)) return undefined;
  const text = decodeText(response, isHtml);
  // Without a declared type, the content decides.
  if (kind === '' && text.includes('\0')) return undefined;
  return isHtml || (kind === '' && /^\s*<(!doctype html|html)/i.test(text)) ? htmlToText(text) : text;
}

function isText(kind: string): boolean {
  if (kind === '' || kind.startsWith('text/')) return true;
  return /^(application|image)\/([\w.-]+\+)?(json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-sh|sql|graphql|x-ndjson)$/.test(
    kind,
  );
}

function decodeText({ contentType, body }: HttpResponse, isHtml: boolean): string {
  const declared = /charset\s*=\s*"?([\w-]+)/.exec(contentType)?.[1];
  const inside = isHtml ? charsetOfMarkup(body) : undefined;
  return decoderFor(declared ?? inside).decode(body);
}

function charsetOfMarkup(body: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(body.subarray(0, 2048));
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1];
}

function decoderFor(charset: string | undefined) {
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    // Unknown encoding: most pages are UTF-8.
    return new TextDecoder('utf-8');
  }
}

/** Loads the library with the first page. */
async function htmlToText(html: string): Promise<string> {
  const { convert } = await import('html-to-text');
  const title = /<title[^>]*>([^<]*)<\/title/i.exec(headOf(html, 100_000))?.[1];
  const text = convert(html, {
    wordwrap: false,
    limits: { ellipsis: '…' },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'nav', format: 'skip' },
      { selector: 'svg', format: 'skip' },
      { selector: 'a', options: { ignoreHref: false, noAnchorUrl: true, hideLinkHrefIfSameAsText: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  });
  const tidy = text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return title?.trim() ? `${title.replace(/\s+/g, ' ').trim()}\n\n${tidy}` : tidy;
}
