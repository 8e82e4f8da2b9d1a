import { messageOf } from '../../base/errors.ts';
import { normaliseGlob } from '../../platform/patterns/globPattern.ts';
import { SearchError } from '../../platform/search.ts';

/** Returns whether a path, relative with `/`, matches. */
export type GlobMatcher = (path: string) => boolean;

/** A glob for whole paths: `*.ts` matches only files at the top. Ignores a leading `./` or `/`. */
export async function loadGlob(pattern: string, caseSensitive: boolean): Promise<GlobMatcher> {
  // Shortcut for a pattern that matches all of tens of thousands of paths.
  if (pattern === '**/*') return () => true;
  const [, ending] = /^\*\*\/\*(\.\w+)$/.exec(pattern) ?? [];
  if (ending !== undefined) return endsWith(ending, caseSensitive);
  const { default: picomatch } = await import('picomatch');
  try {
    const path = pattern.replace(/^\.?\//, '');
    const matches = picomatch(normaliseGlob(path), { dot: true, nocase: !caseSensitive });
    // Square brackets may be a character set or part of a folder name: `app/[slug]/page.tsx`.
    return candidate => candidate === path || matches(candidate);
  } catch (error) {
    // The pattern is too long.
    throw new SearchError(messageOf(error));
  }
}

function endsWith(ending: string, caseSensitive: boolean): GlobMatcher {
  if (caseSensitive) return path => path.endsWith(ending);
  const lower = ending.toLowerCase();
  return path => path.slice(-ending.length).toLowerCase() === lower;
}

/** Loads a path filter for a glob. A glob without a slash matches names at any depth, others match whole paths. */
export async function loadGlobFilter(pattern: string): Promise<GlobMatcher> {
  // A name without special characters matches itself.
  if (/^[\w.-]+$/.test(pattern)) return path => path.slice(path.lastIndexOf('/') + 1) === pattern;
  const [, folder] = /^\*\*\/([\w.-]+)\/\*\*$/.exec(pattern) ?? [];
  if (folder !== undefined) return path => `/${path}/`.includes(`/${folder}/`);
  const matches = await loadGlob(pattern, true);
  if (pattern.includes('/')) return matches;
  return path => matches(path.slice(path.lastIndexOf('/') + 1));
}
