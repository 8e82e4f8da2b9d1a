import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type ignorePackage from 'ignore';
import type { Ignore } from 'ignore';
import { dropLongLines } from '../../platform/patterns/dropLongLines.ts';
import type { IgnoreOptions, IgnoreRules, TextQuery } from '../../platform/search.ts';
import { readSmallFile } from '../files/readSmallFile.ts';
import type { CustomIgnoreFile } from './customIgnoreFiles.ts';
import { findExcludeSources } from './excludeSources.ts';
import type { GitEnvironment } from './gitConfig.ts';
import { findSearchRoot, relativeSlashed, type SearchRoot } from './searchRoot.ts';

/** Ignore rules for the entries of one folder. The deepest file with a matching rule decides. */
export interface FolderRules extends IgnoreRules {
  /** The rules inside a folder among the entries. @param names its entries, if known */
  enter(folder: string, names?: ReadonlySet<string>): FolderRules;
}

/** Finds the user's Git settings, and the ignore files named in settings. */
export interface IgnoreSources {
  readonly env: GitEnvironment;
  readonly custom: readonly CustomIgnoreFile[];
}

const noIgnoreRules: FolderRules = { enter: () => noIgnoreRules, findIgnoring: () => undefined };

/** `plain: false` ignores `.ignore`, which ripgrep reads itself. */
export interface IgnoreRuleOptions extends IgnoreOptions {
  readonly plain?: boolean;
}

/** Text search skips ignored files. `noIgnore` skips only files hidden from agents. */
export function textSearchIgnoreOptions({
  noIgnore = false,
  respectGeminiIgnore = true,
}: TextQuery): IgnoreRuleOptions {
  return noIgnore ? { git: false, plain: false, gemini: respectGeminiIgnore } : {};
}

/** Rules for the search root's own entry in its parent folder. */
export async function loadIgnoreRules(
  root: SearchRoot,
  choice: IgnoreRuleOptions,
  { env, custom }: IgnoreSources,
): Promise<FolderRules> {
  const { default: ignore } = await import('ignore');
  const { git = true, gemini = true, plain = true } = choice;
  const [, ...above] = root.folders;
  const context = { ignore, env, git, gemini, plain, custom: gemini ? custom : [] };
  return above.toReversed().reduce((rules, folder) => rules.enter(folder), beginRules(context, root));
}

/** Custom files of parent folders apply from the start. */
function beginRules(context: Context, root: SearchRoot): FolderRules {
  const top = root.folders.at(-1) ?? root.folder;
  const none = new LayeredRules(context, emptyLayers, false);
  return new LayeredRules(
    context,
    {
      ...emptyLayers,
      custom: none.readCustom(folder => folder !== top && top.startsWith(join(folder, sep))),
    },
    false,
  );
}

/** Rules for paths at any depth below a folder, in any order. */
export async function readIgnoreRules(
  folder: string,
  choice: IgnoreOptions,
  sources: IgnoreSources,
): Promise<IgnoreRules> {
  const root = await findSearchRoot(folder);
  return new RecursiveIgnoreRules(root.folder, await loadIgnoreRules(root, choice, sources));
}

export class RecursiveIgnoreRules implements IgnoreRules {
  private readonly top: string;
  /** By folder. A string is the file that ignores the folder. */
  private readonly known = new Map<string, FolderRules | string>();

  /** @param rules for the entry `top` in its parent folder */
  constructor(top: string, rules: FolderRules) {
    this.top = top;
    this.known.set(top, rules.enter(top));
  }

  findIgnoring(path: string, kind: 'file' | 'folder'): string | undefined {
    if (path === this.top) return undefined;
    const rules = this.rulesOf(dirname(path));
    return typeof rules === 'string' ? rules : rules.findIgnoring(path, kind);
  }

  private rulesOf(folder: string): FolderRules | string {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const above = dirname(folder);
    if (above === folder) return noIgnoreRules;
    const rules = this.rulesOf(above);
    const own =
      typeof rules === 'string' ? rules : (rules.findIgnoring(folder, 'folder') ?? rules.enter(folder));
    this.known.set(folder, own);
    return own;
  }
}

interface Layer {
  readonly file: string;
  /** Absolute path to which the rules are relative. */
  readonly folder: string;
  readonly text: string;
  readonly ignoreCase: boolean;
  readonly rules: Ignore;
  /** Git's rules end at the border of another repository. */
  readonly isGit: boolean;
}

interface Context extends Required<IgnoreRuleOptions> {
  readonly ignore: typeof ignorePackage;
  readonly env: GitEnvironment;
  readonly custom: readonly CustomIgnoreFile[];
}

/** Rules by the kind of their files. Later layers of a kind take precedence over earlier ones. */
interface Layers {
  readonly plain: readonly Layer[];
  /** `.geminiignore` is separate, because no Git file can re-include what it ignores. */
  readonly agents: readonly Layer[];
  /** Files named in settings take precedence over each `.geminiignore`. */
  readonly custom: readonly Layer[];
}

const emptyLayers: Layers = { plain: [], agents: [], custom: [] };

class LayeredRules implements FolderRules {
  private readonly context: Context;
  private readonly layers: Layers;
  private readonly ignoreCase: boolean;

  constructor(context: Context, layers: Layers, ignoreCase: boolean) {
    this.context = context;
    this.layers = layers;
    this.ignoreCase = ignoreCase;
  }

  enter(folder: string, names?: ReadonlySet<string>): FolderRules {
    const { context } = this;
    const { agents, custom } = this.layers;
    const { git, gemini, plain, env } = context;
    const isThere = (name: string) => names?.has(name) ?? true;
    const isTop = git && (names?.has('.git') ?? existsSync(join(folder, '.git')));
    const inside = isTop ? this.enterRepository(folder, env) : this;
    const about = { folder, ignoreCase: inside.ignoreCase };
    const own = [
      ...(git && isThere('.gitignore') ? this.read('.gitignore', { ...about, isGit: true }) : []),
      ...(plain && isThere('.ignore') ? this.read('.ignore', { ...about, isGit: false }) : []),
    ];
    // Hidden from agents in upper and lower case.
    const kept =
      gemini && isThere('.geminiignore')
        ? this.read('.geminiignore', { folder, ignoreCase: true, isGit: false })
        : [];
    const named = this.readCustom(each => each === folder);
    const above = inside.layers.plain.map(layer => this.reach(layer, folder));
    // Searching a folder explicitly does not reveal what is hidden from agents; only another of their files does.
    const isKept = findLastWord([...agents, ...custom], folder, 'folder') !== undefined;
    const open = (list: readonly Layer[]) => (isKept ? list : list.map(layer => this.reach(layer, folder)));
    const layers = {
      plain: [...above, ...own],
      agents: [...open(agents), ...kept],
      custom: [...open(custom), ...named],
    };
    if (inside === this && isSameLayers(layers, this.layers)) return this;
    return new LayeredRules(context, layers, inside.ignoreCase);
  }

  /**
   * Enters an ignored folder if another file may re-include it, or if it was searched explicitly. Then each entry is
   * checked separately.
   */
  private reach(layer: Layer, folder: string): Layer {
    const inside = relativeSlashed(layer.folder, folder);
    if (inside === '' || !layer.rules.test(`${inside}/`).ignored) return layer;
    const text = `${layer.text}\n!/${inside.replace(/[\\*?[\]!# ]/g, '\\$&')}/`;
    return { ...layer, text, rules: this.compile(text, layer.ignoreCase) };
  }

  private compile(text: string, ignorecase: boolean): Ignore {
    return this.context.ignore({ ignorecase }).add(dropLongLines(text));
  }

  /** Rules of a parent repository do not apply in a nested one. */
  private enterRepository(folder: string, env: GitEnvironment): LayeredRules {
    const { files, ignoreCase } = findExcludeSources(folder, env);
    const others = this.layers.plain.filter(({ isGit }) => !isGit);
    const excludes = files.flatMap(file => this.read(file, { folder, ignoreCase, isGit: true }));
    const layers = { ...this.layers, plain: [...others, ...excludes] };
    return new LayeredRules(this.context, layers, ignoreCase);
  }

  /** Earlier files take precedence. */
  readCustom(isMeant: (folder: string) => boolean): readonly Layer[] {
    const named = this.context.custom.filter(({ folder }) => isMeant(folder)).toReversed();
    return named.flatMap(({ file, folder }) => this.read(file, { folder, ignoreCase: true, isGit: false }));
  }

  /** @param name absolute, or relative to the folder */
  private read(name: string, about: Pick<Layer, 'folder' | 'isGit' | 'ignoreCase'>): readonly Layer[] {
    const file = resolve(about.folder, name);
    const text = readSmallFile(file);
    if (text === undefined || !containsRules(text)) return [];
    return [{ ...about, file, text, rules: this.compile(text, about.ignoreCase) }];
  }

  findIgnoring(path: string, kind: 'file' | 'folder'): string | undefined {
    const { plain, agents, custom } = this.layers;
    return findLastWord(plain, path, kind) ?? findLastWord([...agents, ...custom], path, kind);
  }
}

function isSameLayers(some: Layers, others: Layers): boolean {
  return (['plain', 'agents', 'custom'] as const).every(
    name =>
      some[name].length === others[name].length &&
      some[name].every((layer, at) => layer === others[name][at]),
  );
}

/** The file whose rules decide that the path is ignored. */
function findLastWord(layers: readonly Layer[], path: string, kind: 'file' | 'folder'): string | undefined {
  for (const { file, folder, rules } of layers.toReversed()) {
    const inside = relativeSlashed(folder, path);
    const verdict = rules.test(kind === 'folder' ? `${inside}/` : inside);
    if (verdict.ignored) return file;
    if (verdict.unignored) return undefined;
  }
  return undefined;
}

/** Returns whether a text contains more than comments. */
export function containsRules(text: string): boolean {
  return /^(?!#)\s*\S/m.test(text);
}
