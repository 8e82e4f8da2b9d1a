import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fieldsOf } from '../../base/record.ts';
import {
  type FileMatches,
  type FileQuery,
  type IgnoreOptions,
  type IgnoreRules,
  type Search,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../../platform/search.ts';
import { readSmallFile, readSmallFileWithBom } from '../files/readSmallFile.ts';
import type { CustomIgnoreFiles } from './customIgnoreFiles.ts';
import { findExcludeSources } from './excludeSources.ts';
import type { GitEnvironment } from './gitConfig.ts';
import { loadGlob } from './globs.ts';
import {
  containsRules,
  type IgnoreRuleOptions,
  type IgnoreSources,
  loadIgnoreRules,
  RecursiveIgnoreRules,
  readIgnoreRules,
  textSearchIgnoreOptions,
} from './ignoreRules.ts';
import { MatchCollector } from './matchCollector.ts';
import {
  type DecodeFile,
  decodeFiles,
  guessingDecoder,
  JoinedTexts,
  listUndecodedArgs,
} from './otherEncodings.ts';
import { runRipgrep } from './runRipgrep.ts';
import { findSearchRoot, relativeSlashed, type SearchRoot } from './searchRoot.ts';

/**
 * Searches with ripgrep 13 or newer. ripgrep applies the ignore files it supports, which saves time; results that Git
 * would also ignore are removed afterwards.
 */
export class RipgrepSearch implements Search {
  private readonly program: string;
  private readonly env: GitEnvironment;
  private readonly custom: CustomIgnoreFiles;
  private readonly decode: DecodeFile;

  /**
   * @param program absolute path of rg
   * @param env finds the user's Git settings
   * @param custom lists ignore files named in settings
   * @param decode reads files that are not UTF-8
   */
  constructor(
    program: string,
    env: GitEnvironment = process.env,
    custom: CustomIgnoreFiles = () => [],
    decode: DecodeFile = guessingDecoder(),
  ) {
    this.program = program;
    this.env = env;
    this.custom = custom;
    this.decode = decode;
  }

  private get sources(): IgnoreSources {
    return { env: this.env, custom: this.custom() };
  }

  readIgnoreRules(folder: string, choice: IgnoreOptions = {}) {
    return readIgnoreRules(folder, choice, this.sources);
  }

  async findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.folder);
    if (root.file !== undefined) throw new SearchError(`${query.folder} is a file, not a folder.`);
    const matches = await loadGlob(query.pattern, query.caseSensitive === true);
    const place = placeOf(root, query.respectGeminiIgnore !== false);
    const choice = { git: query.respectGitIgnore !== false, gemini: query.respectGeminiIgnore !== false };
    const excludes = choice.git ? excludesOf(root, this.env) : noExcludes;
    const args = [
      ...commonArgs(root),
      '--files',
      '--null',
      ...(choice.git ? excludes.args : ['--no-ignore-vcs']),
      ...(choice.gemini ? await this.ignoreFileArgs(root, place, signal) : []),
      ...excludeArgs(place, query.exclude),
      '--',
      place.target,
    ];
    const paths: string[] = [];
    // String concatenation, since joining paths costs more than matching, and only the separator differs.
    const start = join(root.folder, sep);
    const takePath = (shown: string) => {
      const inside = place.inside(shown);
      if (matches(inside)) paths.push(start + (sep === '/' ? inside : inside.replaceAll('/', sep)));
      return true;
    };
    await runRipgrep({ program: this.program, cwd: place.cwd, args, end: '\0', take: takePath, signal });
    if (!excludes.areMore && !choice.gemini) return { paths };
    // Any folder may contain a `.geminiignore`; ripgrep got only the topmost one.
    const rules = await this.rulesFor(root, excludes.areMore ? choice : { git: false, plain: false });
    return { paths: paths.filter(path => rules.findIgnoring(path, 'file') === undefined) };
  }

  private async rulesFor(root: SearchRoot, choice: IgnoreRuleOptions): Promise<IgnoreRules> {
    return new RecursiveIgnoreRules(root.folder, await loadIgnoreRules(root, choice, this.sources));
  }

  async findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.path);
    // A file named explicitly is always searched.
    const rules =
      root.file === undefined ? await this.rulesFor(root, textSearchIgnoreOptions(query)) : undefined;
    const collector = new MatchCollector(query);
    const scope = await this.scopeOf(root, query, rules, signal);
    // If one fails, it aborts the other.
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      const [, others] = await Promise.all([
        this.collect(scope, query, collector, either),
        this.listOthers(scope, either),
      ]);
      await this.collectOthers(others, query, collector, signal);
    } finally {
      stop.abort();
    }
    return collector.finish();
  }

  private async scopeOf(
    root: SearchRoot,
    query: TextQuery,
    rules: IgnoreRules | undefined,
    signal: AbortSignal,
  ): Promise<TextScope> {
    const respectIgnore = query.noIgnore !== true;
    const place = placeOf(root, respectIgnore);
    const ignoring = respectIgnore
      ? [...excludesOf(root, this.env).args, ...(await this.ignoreFileArgs(root, place, signal))]
      : ['--no-ignore'];
    const filters = root.file === undefined ? filterArgs(place, query) : [];
    return { root, place, rules, args: [...commonArgs(root), ...ignoring, ...filters] };
  }

  /** Passes ignore files to ripgrep to skip ignored folders, unless another file may re-include them. */
  private async ignoreFileArgs(
    root: SearchRoot,
    place: Place,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (!root.geminiIgnore || root.file !== undefined) return [];
    if (this.custom().some(({ file }) => /^!/m.test(readSmallFile(file) ?? ''))) return [];
    const given = ['--ignore-file', root.geminiIgnore];
    let bringsBack = false;
    const take = (shown: string) => {
      bringsBack = join(root.folder, place.inside(shown)) !== root.geminiIgnore;
      return !bringsBack;
    };
    // The glob also finds ignored ones, except in ignored folders, where no rule applies.
    const find = ['--files-with-matches', '--null', '--glob=.geminiignore', '--regexp=^\\x{FEFF}?!'];
    const args = [...commonArgs(root), ...given, ...find, '--', place.target];
    await runRipgrep({ program: this.program, cwd: place.cwd, args, end: '\0', take, signal });
    return bringsBack ? [] : given;
  }

  private async collect(
    { root, place, rules, args }: TextScope,
    query: TextQuery,
    collector: MatchCollector,
    signal: AbortSignal,
  ): Promise<void> {
    const collect = collectorOf(collector, rules, shown => join(root.folder, place.inside(shown)));
    const takeEvent = (line: string) => {
      collect(line);
      return !collector.isFull;
    };
    const all = [...args, '--json', ...queryArgs(query), '--regexp', query.pattern, '--', place.target];
    await runRipgrep({
      program: this.program,
      cwd: place.cwd,
      args: all,
      end: '\n',
      take: takeEvent,
      signal,
    });
  }

  /** Files that ripgrep would treat as binary, or decode wrongly. */
  private async listOthers(
    { root, place, rules, args }: TextScope,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const paths: string[] = [];
    const take = (shown: string) => {
      const path = join(root.folder, place.inside(shown));
      if (rules?.findIgnoring(path, 'file') === undefined) paths.push(path);
      return true;
    };
    const all = [...args, ...listUndecodedArgs, '--', place.target];
    await runRipgrep({ program: this.program, cwd: place.cwd, args: all, end: '\0', take, signal });
    return paths;
  }

  /** Replaces raw-byte lines of the first search with those of the decoded text. */
  private async collectOthers(
    paths: readonly string[],
    query: TextQuery,
    collector: MatchCollector,
    signal: AbortSignal,
  ): Promise<void> {
    const found = paths.filter(path => collector.has(path));
    const others = collector.isFull ? [] : paths.filter(path => !collector.has(path));
    const decoded = await decodeFiles([...found, ...others], this.decode, signal);
    if (decoded.length === 0) return;
    collector.forget(new Set(decoded.map(({ path }) => path)));
    const texts = new JoinedTexts(decoded);
    const take = (line: string) => {
      const event = parseRipgrepEvent(line);
      if (event?.type !== 'line') return true;
      const { path, number, isNewFile } = texts.locate(event.number);
      if (isNewFile) collector.startFile(path);
      collector.addLine(number, event.text, event.isMatch);
      return true;
    };
    // The collector limits results per file, because ripgrep sees these files as one.
    const args = [
      '--no-config',
      '--json',
      '--encoding=none',
      ...queryArgs({ ...query, maxPerFile: undefined }),
    ];
    await runRipgrep({
      program: this.program,
      cwd: process.cwd(),
      args: [...args, '--regexp', query.pattern, '--', '-'],
      end: '\n',
      take,
      input: texts.chunks(),
      signal,
    });
  }
}

interface TextScope {
  readonly root: SearchRoot;
  readonly place: Place;
  /** `undefined` if nothing is ignored. */
  readonly rules: IgnoreRules | undefined;
  /** Options that select the files. */
  readonly args: readonly string[];
}

function commonArgs(root: SearchRoot): readonly string[] {
  const args = ['--no-config', '--hidden', '--no-messages', '--no-ignore-messages'];
  // Outside of a repository `.gitignore` applies too. Inside, the option would apply those above the repository.
  return root.inRepository ? args : [...args, '--no-require-git'];
}

function queryArgs(query: TextQuery): readonly string[] {
  const args = [query.caseSensitive ? '--case-sensitive' : '--ignore-case'];
  // `$` matches before either line end. PCRE2, if available, is used only for look-around.
  args.push('--crlf', query.literal ? '--fixed-strings' : '--engine=auto');
  if (query.before) args.push('--before-context', String(query.before));
  if (query.after) args.push('--after-context', String(query.after));
  // Lines that are dropped later must not count towards the limit per file.
  if (query.maxPerFile !== undefined && query.excludeLines === undefined) {
    args.push('--max-count', String(query.maxPerFile));
  }
  return args;
}

interface Place {
  readonly cwd: string;
  readonly target: string;
  /** Converts a glob from relative to the search root to relative to `cwd`. */
  readonly glob: (glob: string) => string;
  /** Converts a path printed by ripgrep to relative to the search root's folder, with `/`. */
  readonly inside: (shown: string) => string;
}

/**
 * ripgrep resolves an ignore file's globs relative to its working folder, so it runs in the ignore file's folder and
 * searches a path from there.
 */
function placeOf(root: SearchRoot, respectGeminiIgnore: boolean): Place {
  const cwd = respectGeminiIgnore && root.geminiIgnore ? dirname(root.geminiIgnore) : root.folder;
  const down = relativeSlashed(cwd, root.folder);
  const prefix = down === '' ? './' : `./${down}/`;
  return {
    cwd,
    target: root.file === undefined ? prefix : `${prefix}${root.file}`,
    glob: glob => {
      const path = glob.replace(/^\.?\//, '');
      // Without a slash the glob matches names at any depth, else whole paths.
      if (!glob.includes('/')) return glob;
      return down === '' ? `/${path}` : `/${escapeGlob(down)}/${path}`;
    },
    inside: shown => (sep === '/' ? shown : shown.replaceAll(sep, '/')).slice(prefix.length),
  };
}

function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}\\!]/g, '\\$&');
}

interface Excludes {
  /** Git ignores more than ripgrep can be configured for. */
  readonly areMore: boolean;
  readonly args: readonly string[];
}

const noExcludes: Excludes = { areMore: false, args: [] };

/**
 * ripgrep neither finds every user exclude file nor knows what its rules are relative to, so rules that match names at
 * any depth are passed to it. It finds `info/exclude` of a repository whose data is in `.git`.
 */
function excludesOf(root: SearchRoot, env: GitEnvironment): Excludes {
  const top = root.inRepository ? root.folders.at(-1) : undefined;
  const { files, user, ignoreCase } = findExcludeSources(top, env);
  const filled = files.filter(file => containsRules(readSmallFile(file) ?? ''));
  // Some versions of ripgrep do not skip a byte order mark, and its case option does not apply to passed files.
  const isPlain = (file: string) => !readSmallFileWithBom(file)?.startsWith('\uFEFF');
  const isGiven = (file: string) => file === user && !/^[^#\n]*\/./m.test(readSmallFile(file) ?? '');
  const isWhole = (file: string) =>
    isPlain(file) && (isGiven(file) ? !ignoreCase : file === join(top ?? '', '.git', 'info', 'exclude'));
  // Worktrees and submodules have their data elsewhere.
  const others = ['.gitmodules', '.git/worktrees'].some(
    name => top !== undefined && existsSync(join(top, name)),
  );
  return {
    areMore: others || filled.some(file => top === undefined || !isWhole(file)),
    args: [
      '--no-ignore-global',
      ...(ignoreCase ? ['--ignore-file-case-insensitive'] : []),
      ...filled.filter(file => top !== undefined && isGiven(file)).flatMap(file => ['--ignore-file', file]),
    ],
  };
}

function filterArgs(place: Place, query: TextQuery): readonly string[] {
  const include = query.include === undefined ? [] : ['--glob', place.glob(query.include)];
  return [...include, ...excludeArgs(place, query.exclude)];
}

/** Options that exclude globs. Later globs win, so they follow the inclusions. */
function excludeArgs(place: Place, exclude: readonly string[] = []): readonly string[] {
  const globs = [...exclude.map(glob => place.glob(glob)), '.git'];
  return globs.flatMap(glob => ['--glob', `!${glob}`]);
}

/** Forwards ripgrep's events, except those of ignored files. */
function collectorOf(
  collector: MatchCollector,
  rules: IgnoreRules | undefined,
  absolute: (shown: string) => string,
): (line: string) => void {
  let isLeftOut = false;
  return line => {
    const event = parseRipgrepEvent(line);
    if (event?.type === 'begin') {
      const path = absolute(event.path);
      isLeftOut = rules?.findIgnoring(path, 'file') !== undefined;
      if (!isLeftOut) collector.startFile(path);
    } else if (isLeftOut) return;
    else if (event?.type === 'line') collector.addLine(event.number, event.text, event.isMatch);
    else if (event?.binary) collector.dropFile();
  };
}

/** The parts of `rg --json` output that are used. */
type RipgrepEvent =
  | { readonly type: 'begin'; readonly path: string }
  | { readonly type: 'line'; readonly number: number; readonly text: string; readonly isMatch: boolean }
  | { readonly type: 'end'; readonly binary: boolean };

/** Returns `undefined` for other events. */
function parseRipgrepEvent(line: string): RipgrepEvent | undefined {
  const event = fieldsOf(JSON.parse(line));
  const data = fieldsOf(event.data);
  if (event.type === 'match' || event.type === 'context') {
    const number = typeof data.line_number === 'number' ? data.line_number : 0;
    return { type: 'line', number, text: parseText(data.lines), isMatch: event.type === 'match' };
  }
  if (event.type === 'begin') return { type: 'begin', path: parseText(data.path) };
  if (event.type !== 'end') return undefined;
  return { type: 'end', binary: typeof data.binary_offset === 'number' };
}

/** A text, or Base64 for bytes that are invalid UTF-8. */
function parseText(value: unknown): string {
  const { text, bytes } = fieldsOf(value);
  if (typeof text === 'string') return text;
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString() : '';
}
