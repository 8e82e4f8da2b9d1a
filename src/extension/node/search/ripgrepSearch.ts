import { dirname, join, sep } from 'node:path';
import {
  type FileMatches,
  type FileQuery,
  type Search,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../../platform/search.ts';
import { loadGlob } from './globs.ts';
import { MatchCollector } from './matchCollector.ts';
import { runRipgrep } from './runRipgrep.ts';
import { findSearchRoot, type SearchRoot, slashed } from './searchRoot.ts';

/** Search by ripgrep, which must be of version 13 at least. */
export class RipgrepSearch implements Search {
  private readonly program: string;

  /** `program`: absolute path of rg. */
  constructor(program: string) {
    this.program = program;
  }

  async findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.folder);
    if (root.file !== undefined) throw new SearchError(`${query.folder} is a file, not a folder.`);
    const matches = await loadGlob(query.pattern, query.caseSensitive === true);
    const place = placeOf(root, query.respectGeminiIgnore !== false);
    const args = [
      ...commonArgs(root),
      '--files',
      '--null',
      ...(query.respectGitIgnore === false ? ['--no-ignore-vcs'] : []),
      ...ignoreFileArgs(root, query.respectGeminiIgnore !== false),
      ...excludeArgs(place, query.exclude),
      '--',
      place.target,
    ];
    const paths: string[] = [];
    // Joining costs more than matching, and these need no tidying but for the separator.
    const start = join(root.folder, sep);
    const takePath = (shown: string) => {
      const inside = place.inside(shown);
      if (matches(inside)) paths.push(start + (sep === '/' ? inside : inside.replaceAll('/', sep)));
      return true;
    };
    await runRipgrep({ program: this.program, cwd: place.cwd, args, end: '\0', take: takePath, signal });
    return { paths };
  }

  async findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.path);
    const respectIgnore = query.noIgnore !== true;
    const place = placeOf(root, respectIgnore);
    const args = [
      ...commonArgs(root),
      '--json',
      ...queryArgs(query),
      ...(respectIgnore ? ignoreFileArgs(root, true) : ['--no-ignore']),
      ...(root.file === undefined ? filterArgs(place, query) : []),
      '--regexp',
      query.pattern,
      '--',
      place.target,
    ];
    const collector = new MatchCollector(query);
    const takeEvent = (line: string) => {
      collect(collector, line, shown => join(root.folder, place.inside(shown)));
      return !collector.isFull;
    };
    await runRipgrep({ program: this.program, cwd: place.cwd, args, end: '\n', take: takeEvent, signal });
    return collector.finish();
  }
}

function commonArgs(root: SearchRoot): readonly string[] {
  const args = ['--no-config', '--hidden', '--no-messages', '--no-ignore-messages'];
  // Outside of a repository .gitignore counts too. Inside, the option would let one above the repository reach in.
  return root.inRepository ? args : [...args, '--no-require-git'];
}

function queryArgs(query: TextQuery): readonly string[] {
  const args = [query.caseSensitive ? '--case-sensitive' : '--ignore-case'];
  // `$` matches before either line end; PCRE2, where this rg has it, is taken for look-around only.
  args.push('--crlf', query.literal ? '--fixed-strings' : '--engine=auto');
  if (query.before) args.push('--before-context', String(query.before));
  if (query.after) args.push('--after-context', String(query.after));
  // Lines that are dropped afterwards must not use up a file's share.
  if (query.maxPerFile !== undefined && query.excludeLines === undefined) {
    args.push('--max-count', String(query.maxPerFile));
  }
  return args;
}

interface Place {
  readonly cwd: string;
  readonly target: string;
  /** A glob relative to the search root as ripgrep wants it, relative to `cwd`. */
  readonly glob: (glob: string) => string;
  /** A path that ripgrep printed, relative to the search root's folder, with `/`. */
  readonly inside: (shown: string) => string;
}

/**
 * ripgrep reads the globs of an ignore file relative to the folder it runs in, so it runs where the ignore file
 * is and is told the way down.
 */
function placeOf(root: SearchRoot, respectGeminiIgnore: boolean): Place {
  const cwd = respectGeminiIgnore && root.geminiIgnore ? dirname(root.geminiIgnore) : root.folder;
  const down = slashed(cwd, root.folder);
  const prefix = down === '' ? './' : `./${down}/`;
  return {
    cwd,
    target: root.file === undefined ? prefix : `${prefix}${root.file}`,
    glob: glob => {
      const path = glob.replace(/^\.?\//, '');
      // Without a slash it means a name at any depth, else the whole path.
      if (!glob.includes('/')) return glob;
      return down === '' ? `/${path}` : `/${escapeGlob(down)}/${path}`;
    },
    inside: shown => (sep === '/' ? shown : shown.replaceAll(sep, '/')).slice(prefix.length),
  };
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}\\!]/g, '\\$&');
}

function ignoreFileArgs(root: SearchRoot, respect: boolean): readonly string[] {
  return respect && root.geminiIgnore ? ['--ignore-file', root.geminiIgnore] : [];
}

function filterArgs(place: Place, query: TextQuery): readonly string[] {
  const include = query.include === undefined ? [] : ['--glob', place.glob(query.include)];
  return [...include, ...excludeArgs(place, query.exclude)];
}

/** Later globs win, so these come after the ones to take. */
function excludeArgs(place: Place, exclude: readonly string[] = []): readonly string[] {
  const globs = [...exclude.map(glob => place.glob(glob)), '.git'];
  return globs.flatMap(glob => ['--glob', `!${glob}`]);
}

function collect(collector: MatchCollector, line: string, absolute: (shown: string) => string): void {
  const event = parseRipgrepEvent(line);
  if (event?.type === 'begin') collector.startFile(absolute(event.path));
  else if (event?.type === 'line') collector.addLine(event.number, event.text, event.isMatch);
  else if (event?.binary) collector.dropFile();
}

/** The needed members of the lines that `rg --json` prints. */
type RipgrepEvent =
  | { readonly type: 'begin'; readonly path: string }
  | { readonly type: 'line'; readonly number: number; readonly text: string; readonly isMatch: boolean }
  | { readonly type: 'end'; readonly binary: boolean };

/** `undefined` for events of no interest. */
function parseRipgrepEvent(line: string): RipgrepEvent | undefined {
  const event = field(JSON.parse(line));
  const data = field(event.data);
  if (event.type === 'match' || event.type === 'context') {
    const number = typeof data.line_number === 'number' ? data.line_number : 0;
    return { type: 'line', number, text: parseText(data.lines), isMatch: event.type === 'match' };
  }
  if (event.type === 'begin') return { type: 'begin', path: parseText(data.path) };
  if (event.type !== 'end') return undefined;
  return { type: 'end', binary: typeof data.binary_offset === 'number' };
}

function field(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Text, or bytes in base64 when they are no valid UTF-8. */
function parseText(value: unknown): string {
  const { text, bytes } = field(value);
  if (typeof text === 'string') return text;
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString() : '';
}
