import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ignore } from 'ignore';
import { type SearchRoot, slashed } from './searchRoot.ts';

interface IgnoreChoice {
  readonly git: boolean;
  readonly gemini: boolean;
}

/** Rules of ignore files about paths: the deepest file that has an opinion decides. */
export interface IgnoreRules {
  /** `folder`: absolute, whose entries are asked about next; reads its ignore files. */
  enter(folder: string, names: ReadonlySet<string>): Promise<IgnoreRules>;
  ignores(path: string, kind: 'file' | 'folder'): boolean;
}

export const noIgnoreRules: IgnoreRules = {
  enter: async () => noIgnoreRules,
  ignores: () => false,
};

/** Rules from the folders above the search root, which count below it too. */
export async function loadIgnoreRules(root: SearchRoot, choice: IgnoreChoice): Promise<IgnoreRules> {
  const names = choice.git ? ['.gitignore', '.ignore'] : ['.ignore'];
  const [, ...above] = root.folders;
  const layers = await Promise.all([
    choice.gemini && root.geminiIgnore ? readLayers(dirname(root.geminiIgnore), ['.geminiignore']) : [],
    ...above.toReversed().map(folder => readLayers(folder, names)),
  ]);
  return new LayeredRules(layers.flat(), names);
}

interface Layer {
  /** Absolute; what the rules are relative to. */
  readonly folder: string;
  readonly rules: Ignore;
}

class LayeredRules implements IgnoreRules {
  /** Later ones go before earlier ones. */
  private readonly layers: readonly Layer[];
  private readonly names: readonly string[];

  constructor(layers: readonly Layer[], names: readonly string[]) {
    this.layers = layers;
    this.names = names;
  }

  async enter(folder: string, names: ReadonlySet<string>): Promise<IgnoreRules> {
    const present = this.names.filter(name => names.has(name));
    if (present.length === 0) return this;
    return new LayeredRules([...this.layers, ...(await readLayers(folder, present))], this.names);
  }

  ignores(path: string, kind: 'file' | 'folder'): boolean {
    for (const { folder, rules } of this.layers.toReversed()) {
      const inside = slashed(folder, path);
      const verdict = rules.test(kind === 'folder' ? `${inside}/` : inside);
      if (verdict.ignored) return true;
      if (verdict.unignored) return false;
    }
    return false;
  }
}

async function readLayers(folder: string, names: readonly string[]): Promise<readonly Layer[]> {
  const texts = await Promise.all(names.map(name => findText(join(folder, name))));
  const found = texts.filter(text => text !== undefined);
  if (found.length === 0) return [];
  const { default: ignore } = await import('ignore');
  return found.map(text => ({ folder, rules: ignore({ ignorecase: false }).add(text) }));
}

async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Most folders have no such file; one that cannot be read rules nothing.
    return undefined;
  }
}
