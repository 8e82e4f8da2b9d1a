import { messageOf } from '../../base/errors.ts';
import { normaliseGlob } from '../../platform/patterns/globPattern.ts';
import { SearchError } from '../../platform/search.ts';

/** Tells whether a path, relative with `/`, matches. */
export type Glob = (path: string) => boolean;

/** A glob of whole paths: `*.ts` is a file at the top. A leading `./` or `/` means nothing. */
export async function loadGlob(pattern: string, caseSensitive: boolean): Promise<Glob> {
  // Tens of thousands of paths that all match need no scan of each.
  if (pattern === '**/*') return () => true;
  const [, ending] = /^\*\*\/\*(\.\w+)$/.exec(pattern) ?? [];
  if (ending !== undefined) return endsWith(ending, caseSensitive);
  const { default: picomatch } = await import('picomatch');
  try {
    const path = pattern.replace(/^\.?\//, '');
    const matches = picomatch(normaliseGlob(path), { dot: true, nocase: !caseSensitive });
    // Square brackets are a set of characters, and the name of many a folder: `app/[slug]/page.tsx`.
    return candidate => candidate === path || matches(candidate);
  } catch (error) {
    // Longer than it takes.
    throw new SearchError(messageOf(error));
  }
}

function endsWith(ending: string, caseSensitive: boolean): Glob {
  if (caseSensitive) return path => path.endsWith(ending);
  const lower = ending.toLowerCase();
  return path => path.slice(-ending.length).toLowerCase() === lower;
}

/** Loads the filter of paths for one glob pattern: without a slash it matches names at any depth, else whole paths. */
export async function loadGlobFilter(pattern: string): Promise<Glob> {
  // A name without signs is itself.
  if (/^[\w.-]+$/.test(pattern)) return path => path.slice(path.lastIndexOf('/') + 1) === pattern;
  const [, folder] = /^\*\*\/([\w.-]+)\/\*\*$/.exec(pattern) ?? [];
  if (folder !== undefined) return path => `/${path}/`.includes(`/${folder}/`);
  const matches = await loadGlob(pattern, true);
  if (pattern.includes('/')) return matches;
  return path => matches(path.slice(path.lastIndexOf('/') + 1));
}
