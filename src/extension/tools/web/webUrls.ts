import { t } from '../../../protocol/language.ts';
import { ToolFailure } from '../../core/tool.ts';

export const urlLimit = 20;

/** Returns the distinct web addresses in a text, in order. Throws `ToolFailure` if there is none, or too many. */
export function findUrls(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [match] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`{}|\\^]+/gi)) {
    const candidate = trimEnd(match);
    if (URL.canParse(candidate)) found.add(new URL(candidate).href);
  }
  if (found.size === 0) {
    throw new ToolFailure(
      'The prompt holds no URL. Give whole addresses that start with http:// or https://.',
      () => t('No URL'),
    );
  }
  if (found.size > urlLimit) {
    throw new ToolFailure(
      `The prompt holds ${found.size} URLs; at most ${urlLimit} are fetched in one call.`,
      () => t('Too many URLs'),
    );
  }
  return [...found];
}

/** GitHub's page of a file is HTML around it, so use the raw file. */
export function rawUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  const blob = /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/.exec(pathname);
  if (hostname !== 'github.com' || !blob) return url;
  return `https://raw.githubusercontent.com/${blob[1]}/${blob[2]}/${blob[3]}`;
}

/** Removes punctuation of the surrounding sentence. Keeps a closing bracket that was opened inside. */
function trimEnd(text: string): string {
  let url = text;
  while (/[.,;:!?)\]*]$/.test(url)) {
    if (url.endsWith(')') && url.includes('(')) break;
    url = url.slice(0, -1);
  }
  return url;
}
