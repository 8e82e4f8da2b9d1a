import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import {
  type FileMatches,
  type FileQuery,
  type IgnoreChoice,
  type IgnoreRules,
  type Search,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../../platform/search.ts';
import { readExact, readSmall } from '../files/readSmall.ts';
import type { CustomIgnoreFiles } from './customIgnoreFiles.ts';
import { findExcludeSources } from './excludeSources.ts';
import type { GitEnvironment } from './gitConfig.ts';
import { loadGlob } from './globs.ts';
import {
  DeepRules,
  holdsRules,
  type IgnoreSources,
  loadIgnoreRules,
  type RulesChoice,
  readIgnoreRules,
  textRules,
} from './ignoreRules.ts';
import { MatchCollector } from './matchCollector.ts';
import { type DecodeFile, decodeFiles, guessingDecoder, JoinedTexts, listArgs } from './otherEncodings.ts';
import { parseRipgrepEvent } from './ripgrepEvents.ts';
import { runRipgrep } from './runRipgrep.ts';
import { findSearchRoot, type SearchRoot, slashed } from './searchRoot.ts';

/**
 * Search by ripgrep, which must be of version 13 at least. It leaves out what its own reading of ignore files says,
 * which saves it the way; what else Git would leave out is then taken from what it found.
 */
export class RipgrepSearch implements Search {
  private readonly program: string;
  private readonly env: GitEnvironment;
  private readonly custom: CustomIgnoreFiles;
  private readonly decode: DecodeFile;

  /**
   * @param program absolute path of rg
   * @param env says where Git keeps the user's settings
   * @param custom lists ignore files that settings name
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

  readIgnoreRules(folder: string, choice: IgnoreChoice = {}) {
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
    // Joining costs more than matching, and these need no tidying but for the separator.
    const start = join(root.folder, sep);
    const takePath = (shown: string) => {
      const inside = place.inside(shown);
      if (matches(inside)) paths.push(start + (sep === '/' ? inside : inside.replaceAll('/', sep)));
      return true;
    };
    await runRipgrep({ program: this.program, cwd: place.cwd, args, end: '\0', take: takePath, signal });
    if (!excludes.areMore && !choice.gemini) return { paths };
    // A `.geminiignore` may lie in each folder, and ripgrep was given the one above all of them at most.
    const rules = await this.rulesFor(root, excludes.areMore ? choice : { git: false, plain: false });
    return { paths: paths.filter(path => rules.findIgnoring(path, 'file') === undefined) };
  }

  private async rulesFor(root: SearchRoot, choice: RulesChoice): Promise<IgnoreRules> {
    return new DeepRules(root.folder, await loadIgnoreRules(root, choice, this.sources));
  }

  async findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.path);
    // A file that is named is meant.
    const rules = root.file === undefined ? await this.rulesFor(root, textRules(query)) : undefined;
    const collector = new MatchCollector(query);
    const scope = await this.scopeOf(root, query, rules, signal);
    // One that fails ends the other.
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

  /** Spares ripgrep the way into what is left out anyway, unless another file may bring it back. */
  private async ignoreFileArgs(
    root: SearchRoot,
    place: Place,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (!root.geminiIgnore || root.file !== undefined) return [];
    if (this.custom().some(({ file }) => /^!/m.test(readSmall(file) ?? ''))) return [];
    const given = ['--ignore-file', root.geminiIgnore];
    let bringsBack = false;
    const take = (shown: string) => {
      bringsBack = join(root.folder, place.inside(shown)) !== root.geminiIgnore;
      return !bringsBack;
    };
    // The glob finds those that are ignored themselves, but for those in folders that are: no rule counts there.
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

  /** Files that ripgrep does not read as text, or not as the text that they are. */
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
    const all = [...args, ...listArgs, '--', place.target];
    await runRipgrep({ program: this.program, cwd: place.cwd, args: all, end: '\0', take, signal });
    return paths;
  }

  /** Lines in their bytes, which the first search found, give way to those of the decoded text. */
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
    // The share of a file is the collector's, since these files are one to ripgrep.
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
  /** `undefined`: nothing is left out. */
  readonly rules: IgnoreRules | undefined;
  /** Options that choose the files. */
  readonly args: readonly string[];
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

interface Excludes {
  /** Git leaves out more than ripgrep can be told of. */
  readonly areMore: boolean;
  readonly args: readonly string[];
}

const noExcludes: Excludes = { areMore: false, args: [] };

/**
 * ripgrep knows neither each place that names the user's excludes nor what their rules are relative to; rules that
 * stand for a name at any depth are given to it. It finds the `info/exclude` of a repository whose data lie in `.git`.
 */
function excludesOf(root: SearchRoot, env: GitEnvironment): Excludes {
  const top = root.inRepository ? root.folders.at(-1) : undefined;
  const { files, user, ignoreCase } = findExcludeSources(top, env);
  const filled = files.filter(file => holdsRules(readSmall(file) ?? ''));
  // Neither has ripgrep read a byte-order mark in each version, nor does its option for case hold for what is given.
  const isPlain = (file: string) => !readExact(file)?.startsWith('\uFEFF');
  const isGiven = (file: string) => file === user && !/^[^#\n]*\/./m.test(readSmall(file) ?? '');
  const isWhole = (file: string) =>
    isPlain(file) && (isGiven(file) ? !ignoreCase : file === join(top ?? '', '.git', 'info', 'exclude'));
  // Worktrees and submodules keep their data elsewhere.
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

/** Later globs win, so these come after the ones to take. */
function excludeArgs(place: Place, exclude: readonly string[] = []): readonly string[] {
  const globs = [...exclude.map(glob => place.glob(glob)), '.git'];
  return globs.flatMap(glob => ['--glob', `!${glob}`]);
}

/** Hands the events of ripgrep on, but for those of files that the rules leave out. */
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
